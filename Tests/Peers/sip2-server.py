"""An independent server (pysip2, by Jordan Russell): sip2-server.py. It insists on sums and on a login,
knows one reader and one book, and prints its port."""
import anyio
import pysip2
from pysip2 import SIP2Server, models

CARD, PIN, BARCODE = "21234000000018", "1234", "31234000000016"
server = SIP2Server(institution_id="THEIRS", login_required=True, error_detection="required")
held = {}


def flags(is_right):
    return {"valid_patron": "Y", "valid_patron_password": "Y" if is_right else "N"}


@server.route(pysip2.LOGIN)
async def login(request, context):
    is_right = (request.login_user_id, request.login_password) == ("carrel", "s3cret")
    return models.LoginResponse(ok="1" if is_right else "0")


@server.route(pysip2.PATRON_INFORMATION)
async def patron(request, context):
    if request.patron_identifier != CARD:
        known, name = {"valid_patron": "N", "valid_patron_password": "N"}, ""
    else:
        known, name = flags(request.patron_password == PIN), "LE CARR\u00c9, JO\u00cbL"
    count = "%04d" % len(held)
    return models.PatronInformationResponse(
        patron_status=" " * 14, language=request.language, transaction_date=context.now_18(),
        hold_items_count=count, overdue_items_count="0000", charged_items_count="0000",
        fine_items_count="0000", recall_items_count="0000", unavailable_holds_count="0000",
        institution_id="THEIRS", patron_identifier=request.patron_identifier, personal_name=name,
        hold_items=tuple(held) if request.summary[0] == "Y" else (), **known)


@server.route(pysip2.HOLD)
async def hold(request, context):
    is_done = request.patron_password == PIN and request.item_identifier == BARCODE
    if is_done and request.hold_mode == "+":
        held[request.item_identifier] = request.pickup_location
    elif is_done:
        is_done = held.pop(request.item_identifier, None) is not None
    return models.HoldResponse(
        ok="1" if is_done else "0", available="N", transaction_date=context.now_18(),
        queue_position="1", pickup_location=request.pickup_location, institution_id="THEIRS",
        patron_identifier=request.patron_identifier, item_identifier=request.item_identifier)


@server.route(pysip2.ITEM_INFORMATION)
async def item(request, context):
    is_known = request.item_identifier == BARCODE
    return models.ItemInformationResponse(
        circulation_status="03" if is_known else "01", security_marker="00", fee_type="01",
        transaction_date=context.now_18(), item_identifier=request.item_identifier,
        title_identifier="Moby-Dick" if is_known else "")


@server.route(pysip2.END_PATRON_SESSION)
async def end(request, context):
    return models.EndSessionResponse(
        end_session="Y", transaction_date=context.now_18(), institution_id="THEIRS",
        patron_identifier=request.patron_identifier)


async def main():
    async with server.start(port=0) as port:
        print(port, flush=True)
        await anyio.sleep_forever()


anyio.run(main)
