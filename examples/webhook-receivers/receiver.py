"""A receiver of webhooks: WEBHOOK_SECRET=whsec_… python3 receiver.py. Verifies the signature over the raw body."""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
seen = set()  # The events that were processed. Keep these ids in a database.


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        signature = self.headers.get("X-Service-Signature", "")
        signed = hmac.compare_digest(expected.encode(), signature.encode("latin-1"))
        self.send_response(204 if signed else 401)
        self.end_headers()
        if not signed:
            return
        message = json.loads(body)
        if message["id"] in seen:
            return
        seen.add(message["id"])
        print(message["event"], message["data"].get("runId", ""), flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8091"))), Receiver)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
