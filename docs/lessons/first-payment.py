import json
import os
import urllib.error
import urllib.request

RAIL = 'http://127.0.0.1:4000'


def call(path, body=None, headers={}):
    """The rail's answer; an error stops the program with its message."""
    request = urllib.request.Request(
        RAIL + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            'Authorization': f"Bearer {os.environ['RAIL_KEY']}",
            'Content-Type': 'application/json',
            **headers,
        },
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)['data']
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)['error']['message'])


# Who: one of the example citizens.
citizen = call('/v1/citizens?limit=1')[0]

# What: two services of two agencies. The rail prices them, and `assess` sets the prices for good.
one = call('/v1/services?code=URA-MVTRANSFER')[0]
two = call('/v1/services?code=MOWT-PSV')[0]
lines = [{'service': one['name']}, {'service': two['name']}]
assessment = call('/v1/assessments', {'citizen': citizen['name'], 'lines': lines, 'assess': True})

# How: the aggregator is asked to collect, and then how the collection stands.
key = {'Idempotency-Key': f"pay-{assessment['name']}"}
asked = {
    'assessment': assessment['name'],
    'channel': 'mtn_momo',
    'initiate': True,
    'payer_msisdn': '+256700123456',
}
intent = call('/v1/payment-intents', asked, key)
confirmed = call(f"/v1/payment-intents/{intent['name']}:confirm", {})
print(confirmed['intent']['status'])

# The proof: one event an agency.
for event in call(f"/v1/payment-events?intent={intent['name']}"):
    print(event['mda'], event['amount'], event['currency'])
