"""deploy/nginx.conf in a real nginx, in front of the real server."""

import asyncio
import getpass
import shutil
import socket
import ssl
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path

import httpx2
import pytest
from tests.waiting import TIMEOUT_SECONDS, until

SHOWN = Path(__file__).parents[2] / "deploy" / "nginx.conf"
HOST = {"Host": "games.example.org"}
AROUND = """
daemon off;
user {user};
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 2048; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/numduel.conf;
}}
"""


def changed(text, pairs):
    for old, new in pairs.items():
        assert old in text, f"deploy/nginx.conf no longer says {old}"
        text = text.replace(old, str(new))
    return text


def certificate(folder):
    """Create a self-signed certificate; return the names of its two files."""
    key, made = folder / "key.pem", folder / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    subprocess.run(
        [*command.split(), "-subj", "/CN=games.example.org", "-keyout", key, "-out", made],
        check=True,
        capture_output=True,
    )
    return made, key


@pytest.fixture
def behind_nginx(serve, tmp_path):
    """behind_nginx({"burst=3000": "burst=5"}) returns the server, and nginx's address."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None or shutil.which("openssl") is None:
        pytest.skip("no nginx or openssl on this machine")
    running = []

    def behind_nginx(changes=None):
        server = serve(f"sqlite:///{tmp_path / 'numduel.sqlite'}", "--allow-host", HOST["Host"])
        holder = socket.socket()
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port = holder.getsockname()[1]
        made, key = certificate(tmp_path)
        usual = {
            "listen 443 ssl http2": f"listen 127.0.0.1:{port} ssl http2",
            "http://127.0.0.1:8000": f"http://127.0.0.1:{server.port}",
            "/etc/ssl/numduel/games.example.org.pem": made,
            "/etc/ssl/numduel/games.example.org.key": key,
        }
        (tmp_path / "numduel.conf").write_text(changed(SHOWN.read_text(), usual | (changes or {})))
        (tmp_path / "nginx.conf").write_text(AROUND.format(folder=tmp_path, user=getpass.getuser()))
        command = [program, "-p", tmp_path, "-e", tmp_path / "error.log", "-c", "nginx.conf"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        running.append((process, holder))
        until(lambda: (tmp_path / "nginx.pid").exists() or process.poll() is not None, "nginx")
        assert process.poll() is None, (tmp_path / "error.log").read_text()
        return server, f"https://127.0.0.1:{port}"

    yield behind_nginx
    for process, holder in running:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)
        holder.close()


def statuses(visitor, address, count, **options):
    return [visitor.get(address, headers=HOST, **options).status_code for _ in range(count)]


@pytest.mark.soak
def test_bodies_heads_connections_and_requests_are_bounded(behind_nginx, client):
    server, nginx = behind_nginx(
        {
            "numduel_connections 2000": "numduel_connections 3",
            "rate=1000r/s": "rate=1r/m",
            "burst=3000": "burst=15",
            "client_header_timeout 10s": "client_header_timeout 1s",
        }
    )
    first, second, third = client(), client(), client()
    assert first.get(f"{nginx}/healthz", headers=HOST).json() == {"status": "ok"}
    page = first.post(f"{nginx}/play/double-or-add", headers=HOST)
    assert page.status_code == 303
    assert "; secure" in page.headers["set-cookie"].lower()

    for length, status in ((50_000, 422), (70_000, 413)):
        record = {"text": "x" * length}
        assert first.post(f"{nginx}/analyze", headers=HOST, data=record).status_code == status
    cookie = {**HOST, "Cookie": "a=" + "x" * 20_000}
    assert first.get(f"{nginx}/", headers=cookie).status_code == 400
    assert '"status": 413' not in server.log  # nginx itself has refused it

    plain = ssl.create_default_context()
    plain.check_hostname, plain.verify_mode = False, ssl.CERT_NONE
    where = ("127.0.0.1", int(nginx.rpartition(":")[2]))
    with closing(plain.wrap_socket(socket.create_connection(where, TIMEOUT_SECONDS))) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: games.example.org\r\n")
        assert slow.recv(1000)[9:12] in (b"", b"408")  # and it is closed

    streams = f"{nginx}{page.headers['location']}/events"
    with (
        second.stream("GET", streams, headers=HOST),
        second.stream("GET", streams, headers=HOST),
        second.stream("GET", streams, headers=HOST),
    ):
        assert statuses(second, f"{nginx}/healthz", 1) == [429]
        assert statuses(first, f"{nginx}/healthz", 1) == [200]

    assert statuses(third, f"{nginx}/healthz", 18) == [200] * 16 + [429] * 2
    assert statuses(first, f"{nginx}/healthz", 1) == [200]


@pytest.mark.soak
@pytest.mark.anyio
async def test_a_pupil_moves_while_a_classmate_floods_from_the_same_address(behind_nginx):
    _, nginx = behind_nginx()
    answers, limits = Counter(), httpx2.Limits(max_connections=260)
    way = httpx2.AsyncHTTPTransport(verify=False, trust_env=False, limits=limits)
    async with httpx2.AsyncClient(
        transport=way, base_url=nginx, headers=HOST, timeout=TIMEOUT_SECONDS
    ) as school:
        opened = (await school.post("/api/duels", json={"game": "divisor-duel"})).json()

        async def flood():
            while True:
                answers[(await school.get("/nothing")).status_code] += 1

        flooding = [asyncio.create_task(flood()) for _ in range(250)]
        while answers[429] < 1000 and not any(one.done() for one in flooding):
            await asyncio.sleep(0.01)
        for turn in range(9):
            move = f"/api/duels/{opened['name']}/move"
            bearer = {"Authorization": f"Bearer {opened['secrets'][str(1 + turn % 2)]}"}
            moved = await school.post(move, headers=bearer, json={"move": 1})
            assert moved.status_code == 200, moved.text
        for one in flooding:
            one.cancel()
        await asyncio.gather(*flooding, return_exceptions=True)


@pytest.mark.soak
def test_event_streams_pass_at_once(behind_nginx, client):
    _, nginx = behind_nginx()
    player, watcher = client(), client()
    opened = player.post(f"{nginx}/api/duels", headers=HOST, json={"game": "operation-duel"}).json()
    duel = f"{nginx}/api/duels/{opened['name']}"
    with watcher.stream("GET", f"{duel}/events", headers=HOST) as stream:
        lines = stream.iter_lines()
        while next(lines) != "data: 0":
            pass
        bearer = {**HOST, "Authorization": f"Bearer {opened['secrets']['1']}"}
        assert player.post(f"{duel}/move", headers=bearer, json={"move": 1}).status_code == 200
        while next(lines) != "data: 1":
            pass


@pytest.mark.soak
def test_only_the_proxy_decides_which_address_a_visitor_has(behind_nginx, client):
    server, nginx = behind_nginx()

    def guesses(visitor, url):
        """Guess 41 codes, each with another claimed address; return the statuses."""
        found = []
        for number in range(41):
            said = {**HOST, "X-Forwarded-For": f"192.0.2.{number}"}
            found.append(visitor.get(f"{url}/room/AAAAA", headers=said).status_code)
        return found

    assert guesses(client(), nginx) == [404] * 40 + [429]
    assert guesses(client(), nginx) == [404] * 40 + [429]  # from another address
    assert guesses(client(), server.url.rstrip("/")) == [404] * 40 + [429]  # past the proxy
