#!/usr/bin/perl
# Drives the mock with Debian's libwebservice-ils-perl, a client that was written against the real
# service. Its hosts are fixed in the module, so every request is turned to the mock on its way out.
use strict;
use warnings;

package TurnedAgent;
use parent 'LWP::UserAgent';
our $target;

sub request {
    my ($self, $request, @rest) = @_;
    my $uri = $request->uri->clone;
    if ($uri->host =~ /overdrive\.com$/) {
        my $mock = URI->new($target);
        $uri->scheme('http');
        $uri->host($mock->host);
        $uri->port($mock->port);
        $request->uri($uri);
    }
    return $self->SUPER::request($request, @rest);
}

package main;
use JSON qw(encode_json);
use URI;
use WebService::ILS::OverDrive::Library;
use WebService::ILS::OverDrive::Patron;

my ($base, $key, $secret, $library_id, $website, $ils, $card, $pin) = @ARGV;
$TurnedAgent::target = $base;
my %common = (
    client_id     => $key,
    client_secret => $secret,
    library_id    => $library_id,
);
my %seen;

my $library = WebService::ILS::OverDrive::Library->new({
    %common, user_agent => TurnedAgent->new(agent => 'perl-ils/1'),
});
my $found = $library->search({ query => 'the', page_size => 5, page => 1, sort => 'title:asc' });
$seen{total}   = $found->{total};
$seen{page}    = scalar @{ $found->{items} };
my $all = $library->native_search({ limit => 5 });
my $next = $library->native_search_next($all);
$seen{next_offset} = $next->{offset};
my $free = (grep {
    $library->item_availability($_->{id})->{copies_available}
} @{ $all->{products} })[0];
$seen{title} = $library->item_metadata($free->{id})->{title};
$seen{is_available} = $library->is_item_available($free->{id}) ? 1 : 0;

my $patron = WebService::ILS::OverDrive::Patron->new({
    %common, user_agent => TurnedAgent->new(agent => 'perl-ils/1'),
});
my $refused = eval { $patron->auth_by_user_id($card, 'wrong', $website, $ils); 0 } || $@;
$seen{refused} = $patron->is_access_token_error($refused) ? 1 : 0;
$patron->auth_by_user_id($card, $pin, $website, $ils);
$seen{limit} = $patron->patron->{checkout_limit};

my $loan = $patron->checkout($free->{id});
$seen{loan}    = lc $loan->{id} eq lc $free->{id} ? 1 : 0;
$seen{expires} = $loan->{expires};
my $formats = $patron->checkout_formats($free->{id});
$seen{formats} = [sort keys %$formats];
$seen{loans}   = $patron->checkouts->{total};
my ($lockable) = grep { /-open$/ } keys %{ $patron->checkouts->{items}[0]{formats} };
if ($lockable) {
    $seen{locked} = $patron->lock_format($free->{id}, $lockable);
    my $url = $patron->checkout_download_url($free->{id}, $lockable, 'http://localhost/error');
    my $file = TurnedAgent->new(agent => 'perl-ils/1')->get($url);
    $seen{file_type}  = $file->header('Content-Type');
    $seen{file_start} = substr $file->content, 0, 2;
}
$seen{returned} = $patron->return($free->{id});
$seen{after}    = $patron->checkouts->{total};

my ($out) = grep { !$library->item_availability($_->{id})->{copies_available} }
    @{ $library->native_search({ limit => 25 })->{products} };
$patron->place_hold($out->{id}, 'reader@example.org');
$seen{holds}   = $patron->holds->{total};
$seen{removed} = $patron->remove_hold($out->{id});
$seen{removed_again} = $patron->remove_hold($out->{id});

print encode_json(\%seen), "\n";
