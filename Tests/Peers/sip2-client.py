"""An independent client (Sip2, by Tobias Zeumer) at a library's server: sip2-client.py PORT USER PASSWORD
CARD PIN BARCODE BRANCH. Prints what it understood of each answer as one line of JSON."""
import json, sys, tempfile

from Sip2.sip2 import Sip2

port, user, password, card, pin, barcode, branch = sys.argv[1:8]
sip = Sip2()
sip.hostName, sip.hostPort, sip.tlsEnable = "127.0.0.1", int(port), False
sip.hostEncoding, sip.logfile_path, sip.institutionId = "utf-8", tempfile.mkdtemp(), "MAIN"
sip.connect()


def ask(name, request, read):
    """The parsed answer, which has two parts: `fixed` and `variable`."""
    answer = read(sip.get_response(request))
    print(json.dumps({"step": name, "fixed": answer["fixed"], "variable": answer["variable"]},
                     default=str), flush=True)


ask("login", sip.sip_login_request(user, password), sip.sip_login_response)
ask("status", sip.sip_sc_status_request(), sip.sip_sc_status_response)
sip.patron, sip.patronpwd = card, pin
ask("patron", sip.sip_patron_information_request("none"), sip.sip_patron_information_response)
ask("item", sip.sip_item_information_request(barcode), sip.sip_item_information_response)
ask("hold", sip.sip_hold_request("+", "", 2, barcode, "", "N", branch), sip.sip_hold_response)
ask("again", sip.sip_hold_request("+", "", 2, barcode, "", "N", branch), sip.sip_hold_response)
ask("holds", sip.sip_patron_information_request("unavail"), sip.sip_patron_information_response)
ask("cancel", sip.sip_hold_request("-", "", 2, barcode), sip.sip_hold_response)
ask("end", sip.sip_end_patron_session_request(), sip.sip_end_patron_session_response)
