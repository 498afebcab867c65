"""A stub of a provider, with all behaviours of real ones. The name of a model says what it does.

`+` joins behaviours: `refuses-seed+first`. By default a model answers with the first legal move
that the prompt lists, or with 1.
"""

import json
import re
import time
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread

STATUSES = {"barred": 401, "broke": 402, "missing": 404, "down": 503, "poor": 429}
MESSAGES = {
    "barred": "Incorrect API key provided: {key}",
    "broke": "Add credits to go on",
    "missing": "The model does not exist",
    "down": "Overloaded",
    "poor": "You exceeded your current quota",
}

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "completion_tokens_details": {"reasoning_tokens": 15},
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        """Say nothing."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        turn = self.server.note(request, self.headers.get("Authorization"))
        try:
            for behaviour in request["model"].split("+"):
                name, *of = behaviour.split("-", 1)
                answered = getattr(self, f"does_{name}", lambda *_: False)(request, turn, *of)
                if name in STATUSES:
                    answered = self.fails(STATUSES[name], name)
                if answered:
                    return
            self.answers(request, self.move(request))
        except OSError:
            self.close_connection = True  # the client has disconnected

    def move(self, request):
        shown = re.findall(r"^Legal moves: (\w+)", request["messages"][1]["content"], re.M)
        return f"Move: {shown[0] if shown else 1}"

    # The behaviours. Each returns whether it has answered.

    def does_refuses(self, request, turn, field):
        return field in request and self.sends(
            400,
            {
                "error": {
                    "message": f"Unsupported parameter: '{field}'.",
                    "param": field,
                    "code": None,
                }
            },
        )

    def does_forbids(self, request, turn, field):
        """Refuse a field as a server that checks each field, and repeats the request."""
        detail = {"loc": ["body", field], "msg": "Extra inputs are not permitted", "input": request}
        return field in request and self.sends(422, {"detail": [detail]})

    def does_limited(self, request, turn, after="0"):
        return (turn % 2 or after == "99999") and self.fails(429, "limited", {"Retry-After": after})

    def does_flaky(self, request, turn):
        return turn % 2 and self.fails(500, "flaky")

    def does_once(self, request, turn):
        """Fail until the server is repaired."""
        return not self.server.is_repaired and self.fails(503, "down")

    def does_drops(self, request, turn):
        self.close_connection = True
        return True

    def does_half(self, request, turn):
        """Close the connection in the middle of a stream."""
        self.head("text/event-stream")
        self.event({"choices": [{"delta": {"content": "Move: 1"}}]})
        self.close_connection = True
        return True

    def does_cut(self, request, turn):
        return self.answers(request, "Move: 1", "length")

    def does_empty(self, request, turn):
        """Use all tokens for reasoning."""
        return self.answers(request, "", "length")

    def does_uncounted(self, request, turn):
        """Answer without a count of tokens, as many small servers do."""
        return self.answers(request, self.move(request), usage=None)

    def does_declines(self, request, turn):
        return self.answers(request, None, refusal="I cannot help with games.")

    def does_filtered(self, request, turn):
        return self.answers(request, "", "content_filter")

    def does_says(self, request, turn, text):
        return self.answers(request, text)

    def does_echoes(self, request, turn):
        return self.answers(request, f"{self.headers.get('Authorization')}\n{self.move(request)}")

    def does_parts(self, request, turn):
        return self.answers(request, [{"type": "thinking"}, {"type": "text", "text": "Move: 1"}])

    def does_errs(self, request, turn):
        """Report an error in the middle of a stream."""
        self.head("text/event-stream")
        self.event({"error": {"message": "Provider returned error", "code": 502}})
        self.close_connection = True
        return True

    def does_garbled(self, request, turn, status="200"):
        return self.sends(int(status), "<html>\n\x07")

    def does_nothing(self, request, turn):
        return self.sends(200, {"choices": []})

    def does_silent(self, request, turn):
        self.head("text/event-stream")
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True
        return True

    def does_redirects(self, request, turn):
        return self.sends(307, {}, {"Location": f"{self.server.elsewhere}/chat/completions"})

    def does_zipped(self, request, turn):
        return self.sends(200, {"choices": []}, {"Content-Encoding": "gzip"})

    def does_floods(self, request, turn, how="stream"):
        """Send one very long line in one chunk of HTTP, of `flood_bytes` of the server."""
        kind = "text/event-stream" if how == "stream" else "application/json"
        self.send_response(200 if how != "error" else 500)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        size, part = self.server.flood_bytes, b"x" * 2**16
        self.wfile.write(b"%x\r\n" % size)
        for _ in range(size // len(part)):
            self.wfile.write(part)
            self.server.flooded_bytes += len(part)
        return True

    def does_waits(self, request, turn, seconds):
        time.sleep(float(seconds))

    def does_stalls(self, request, turn):
        self.server.released.wait(60)

    def does_pairs(self, request, turn):
        """Answer when another request has arrived as well."""
        with self.server.counting():
            self.server.paired.wait(60)
            time.sleep(0.05)  # in case a third one arrives

    # Sending answers.

    def answers(self, request, text, finish="stop", refusal=None, usage=USAGE):
        kind = "chat.completion.chunk" if request.get("stream") else "chat.completion"
        head = {"id": "1", "object": kind, "created": 0}
        head["model"] = f"{request['model'][:9]}-2026-11-18"
        message = {"role": "assistant", "content": text, "refusal": refusal}
        if not request.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": finish}
            return self.sends(200, {**head, "choices": [choice], "usage": usage})
        self.head("text/event-stream")
        for delta, ended in ((message, None), ({}, finish)):
            choice = {"index": 0, "delta": delta, "finish_reason": ended}
            self.event({**head, "choices": [choice]})
        if "stream_options" in request:
            self.event({**head, "choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True
        return True

    def fails(self, status, name, headers=()):
        key = self.headers.get("Authorization")
        code = "insufficient_quota" if name == "poor" else name
        error = {"message": MESSAGES.get(name, name).format(key=key), "code": code}
        return self.sends(status, {"error": error}, headers)

    def sends(self, status, body, headers=()):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.head("application/json", status, {**dict(headers), "Content-Length": str(len(data))})
        self.wfile.write(data)
        return True

    def head(self, kind, status=200, headers=()):
        self.send_response(status)
        for name, value in {"Content-Type": kind, **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()

    def event(self, part):
        self.wfile.write(b"data: " + json.dumps(part).encode() + b"\n\n")


class StubProvider(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler=Handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        self.requests, self.keys, self.elsewhere = [], [], ""
        self.is_repaired, self.released, self.paired = False, Event(), Event()
        self.flood_bytes, self.flooded_bytes = 2**24, 0
        self.in_flight = self.max_in_flight = 0
        self._request_counts, self._lock = Counter(), Lock()
        Thread(target=self.serve_forever, daemon=True).start()

    def note(self, request, key):
        """Record a request, and return how often this model was asked."""
        with self._lock:
            self.requests.append(request)
            self.keys.append(key)
            self._request_counts[request["model"]] += 1
            return self._request_counts[request["model"]]

    @contextmanager
    def counting(self):
        """Count a request while it is answered."""
        with self._lock:
            self.in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self.in_flight)
            if self.in_flight > 1:
                self.paired.set()
        yield
        with self._lock:
            self.in_flight -= 1

    def close(self):
        self.released.set()
        self.shutdown()
        self.server_close()
