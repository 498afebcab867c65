"""A provider of models that does all that providers do. What a model does is in its name.

`+` joins behaviours: `refuses-seed+first`. Without one it answers with the first legal move that it
is shown, or with 1.
"""

import json
import re
import time
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread

STATUSES = {"barred": 401, "broke": 402, "missing": 404, "down": 503, "poor": 429}
SENTENCES = {
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
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        turn = self.server.note(asked, self.headers.get("Authorization"))
        try:
            for behaviour in asked["model"].split("+"):
                name, *of = behaviour.split("-", 1)
                answered = getattr(self, f"does_{name}", lambda *_: False)(asked, turn, *of)
                if name in STATUSES:
                    answered = self.fails(STATUSES[name], name)
                if answered:
                    return
            self.answers(asked, self.move(asked))
        except OSError:
            self.close_connection = True  # whoever asked has gone

    def move(self, asked):
        shown = re.findall(r"^Legal moves: (\w+)", asked["messages"][1]["content"], re.M)
        return f"Move: {shown[0] if shown else 1}"

    # Each returns whether it has answered.

    def does_refuses(self, asked, turn, field):
        return field in asked and self.sends(
            400,
            {
                "error": {
                    "message": f"Unsupported parameter: '{field}'.",
                    "param": field,
                    "code": None,
                }
            },
        )

    def does_forbids(self, asked, turn, field):
        """As a server does that checks each field, and repeats the request."""
        told = {"loc": ["body", field], "msg": "Extra inputs are not permitted", "input": asked}
        return field in asked and self.sends(422, {"detail": [told]})

    def does_limited(self, asked, turn, after="0"):
        return (turn % 2 or after == "99999") and self.fails(429, "limited", {"Retry-After": after})

    def does_flaky(self, asked, turn):
        return turn % 2 and self.fails(500, "flaky")

    def does_once(self, asked, turn):
        """Nothing works until the server is mended."""
        return not self.server.is_mended and self.fails(503, "down")

    def does_drops(self, asked, turn):
        self.close_connection = True
        return True

    def does_half(self, asked, turn):
        """Close the connection in the middle of a stream."""
        self.head("text/event-stream")
        self.event({"choices": [{"delta": {"content": "Move: 1"}}]})
        self.close_connection = True
        return True

    def does_cut(self, asked, turn):
        return self.answers(asked, "Move: 1", "length")

    def does_empty(self, asked, turn):
        """All tokens were used for reasoning."""
        return self.answers(asked, "", "length")

    def does_uncounted(self, asked, turn):
        """Answer without a word on tokens, as many small servers do."""
        return self.answers(asked, self.move(asked), usage=None)

    def does_declines(self, asked, turn):
        return self.answers(asked, None, refusal="I cannot help with games.")

    def does_filtered(self, asked, turn):
        return self.answers(asked, "", "content_filter")

    def does_says(self, asked, turn, text):
        return self.answers(asked, text)

    def does_echoes(self, asked, turn):
        return self.answers(asked, f"{self.headers.get('Authorization')}\n{self.move(asked)}")

    def does_parts(self, asked, turn):
        return self.answers(asked, [{"type": "thinking"}, {"type": "text", "text": "Move: 1"}])

    def does_errs(self, asked, turn):
        """Tell of an error in the middle of a stream."""
        self.head("text/event-stream")
        self.event({"error": {"message": "Provider returned error", "code": 502}})
        self.close_connection = True
        return True

    def does_garbled(self, asked, turn, status="200"):
        return self.sends(int(status), "<html>\n\x07")

    def does_nothing(self, asked, turn):
        return self.sends(200, {"choices": []})

    def does_silent(self, asked, turn):
        self.head("text/event-stream")
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True
        return True

    def does_redirects(self, asked, turn):
        return self.sends(307, {}, {"Location": f"{self.server.elsewhere}/chat/completions"})

    def does_zipped(self, asked, turn):
        return self.sends(200, {"choices": []}, {"Content-Encoding": "gzip"})

    def does_floods(self, asked, turn, how="stream"):
        """Send one line without end; as one chunk of HTTP, as long as the server says."""
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

    def does_waits(self, asked, turn, seconds):
        time.sleep(float(seconds))

    def does_stalls(self, asked, turn):
        self.server.released.wait(60)

    def does_pairs(self, asked, turn):
        """Answer when another request is there, too."""
        with self.server.counting():
            self.server.paired.wait(60)
            time.sleep(0.05)  # for a third one

    # How it answers.

    def answers(self, asked, text, finish="stop", refusal=None, usage=USAGE):
        kind = "chat.completion.chunk" if asked.get("stream") else "chat.completion"
        about = {"id": "1", "object": kind, "created": 0}
        about["model"] = f"{asked['model'][:9]}-2026-11-18"
        said = {"role": "assistant", "content": text, "refusal": refusal}
        if not asked.get("stream"):
            choice = {"index": 0, "message": said, "finish_reason": finish}
            return self.sends(200, {**about, "choices": [choice], "usage": usage})
        self.head("text/event-stream")
        for delta, ended in ((said, None), ({}, finish)):
            choice = {"index": 0, "delta": delta, "finish_reason": ended}
            self.event({**about, "choices": [choice]})
        if "stream_options" in asked:
            self.event({**about, "choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True
        return True

    def fails(self, status, name, headers=()):
        key = self.headers.get("Authorization")
        code = "insufficient_quota" if name == "poor" else name
        told = {"message": SENTENCES.get(name, name).format(key=key), "code": code}
        return self.sends(status, {"error": told}, headers)

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
        self.is_mended, self.released, self.paired = False, Event(), Event()
        self.flood_bytes, self.flooded_bytes = 2**24, 0
        self.in_flight = self.most_in_flight = 0
        self._asked, self._lock = Counter(), Lock()
        Thread(target=self.serve_forever, daemon=True).start()

    def note(self, asked, key):
        """Remember a request; return how often this model was asked."""
        with self._lock:
            self.requests.append(asked)
            self.keys.append(key)
            self._asked[asked["model"]] += 1
            return self._asked[asked["model"]]

    @contextmanager
    def counting(self):
        """Count a request while it is answered."""
        with self._lock:
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            if self.in_flight > 1:
                self.paired.set()
        yield
        with self._lock:
            self.in_flight -= 1

    def close(self):
        self.released.set()
        self.shutdown()
        self.server_close()
