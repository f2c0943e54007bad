#!/usr/bin/env python3
"""A small router that follows the buffering proposal. It shows how a router is tested; it is not for production.

It buffers a request until a cell accepts it. A 302 with X-Gitlab-Cell-Redirect names the next cell."""
import http.client, io, json, os, random, re, socketserver, sys, time
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

# Hop-by-hop fields (RFC 9110 7.6.1), fields that this router sets itself, and fields between cells and routers.
# Forwarding fields are among them: users reach this router directly.
NOT_PASSED_ON = set("""connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer
    transfer-encoding upgrade content-length expect x-gitlab-cell-redirect x-gitlab-cell-cache
    host forwarded x-forwarded-for x-forwarded-host x-forwarded-proto""".split())

# Strict heads (RFC 9112 2.2, 4, 5). Python's own parsers accept what could hide a second message.
TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
FIELDS = rb"(" + TOKEN + rb":[^\r\n\0]*\r\n)*\r\n"
REQUEST = re.compile(TOKEN + rb" ((?i:http)://[^/? \r\n]+(?=[/? ])|(?=[/*]))[!-~]* HTTP/1\.[01]\r\n" + FIELDS)
RESPONSE = re.compile(rb"HTTP/1\.[01] [1-5][0-9][0-9]( [^\r\n\0]*)?\r\n" + FIELDS)


class Refusal(Exception):
    pass  # the status of a response that the router sends by itself


class Cells:
    """The cells, and the path prefixes that they are known to own."""

    def __init__(self, topology):
        self.limits, self.cache, self.owners = topology["limits"], topology["cache"], {}
        self.by_name = {cell["name"]: cell for cell in topology["cells"]}
        self.own_region = [cell for cell in topology["cells"] if cell["region"] == topology["region"]]

    def known(self, path):
        """The owner of the longest known prefix of whole segments."""
        for end in [len(path), *(at for at in range(len(path) - 1, 0, -1) if path[at] == "/")]:
            cell, until = self.owners.get(path[:end], (None, 0))
            if time.monotonic() < until:
                return cell
        return None

    def remember(self, path, fields, cell):
        prefix = members(fields[0]).get("path_prefix", "").removesuffix("/") if len(fields) == 1 else ""
        if prefix and (path + "/").startswith(prefix + "/"):
            while len(self.owners) >= self.cache["max_entries"]:
                self.owners.pop(next(iter(self.owners)), None)
            self.owners[prefix] = (cell, time.monotonic() + self.cache["ttl_ms"] / 1000)

    def without_address(self, location):
        """A redirect to a cell's own address, made relative so that the user can follow it."""
        base = next((cell["url"] for cell in self.by_name.values() if location.startswith(cell["url"] + "/")), "")
        return location.removeprefix(base)

    def route(self, method, target, fields, body):
        """Sends the request to cells until one serves it; returns that response."""
        path = target.split("?")[0]
        choice = [owner] if (owner := self.known(path)) else random.sample(self.own_region, len(self.own_region))
        for _ in range(self.limits["max_hops"]):
            cell, connection = self.connect(choice)
            response = self.send(connection, method, target, fields, body)
            redirects = response.headers.get_all("X-Gitlab-Cell-Redirect", [])
            if response.status != 302 or not redirects:
                self.remember(path, response.headers.get_all("X-Gitlab-Cell-Cache", []), cell)
                return response
            response.close()
            choice = [self.by_name.get(members(redirects[0]).get("cell"))]
            if len(redirects) > 1 or choice == [None]:
                raise Refusal(502)
        raise Refusal(508)

    def connect(self, choice):
        """The first reachable cell, and the connection to it."""
        for cell in choice:
            connection = http.client.HTTPConnection(urlsplit(cell["url"]).netloc, timeout=self.limits["connect_timeout_ms"] / 1000)
            try:
                connection.connect()
                return cell, connection
            except OSError:
                pass
        raise Refusal(503)

    def send(self, connection, method, target, fields, body):
        socket = connection.sock
        socket.settimeout(self.limits["response_timeout_ms"] / 1000)
        try:
            connection.response_class = Response
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            for name, value in fields + ([] if body is None else [("Content-Length", str(len(body)))]):
                connection.putheader(name, value)
            connection.endheaders(body or None)
            response = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise Refusal(504 if isinstance(error, TimeoutError) else 502) from error
        if not is_one_length(response.headers.get_all("Content-Length", [])):
            raise Refusal(502)
        socket.settimeout(None)  # a pause in the middle of a response is not a timeout
        return response


class Response(http.client.HTTPResponse):
    """The response of a cell, with a valid head; interim responses are skipped."""

    def begin(self):
        connection, head = self.fp, b"HTTP/1.1 1"
        while head.startswith((b"HTTP/1.0 1", b"HTTP/1.1 1")):
            head = head_from(connection, connection.readline(65537))
            if not RESPONSE.fullmatch(head):
                raise http.client.HTTPException("not a valid response head")
        self.fp = io.BytesIO(head)
        super().begin()
        self.fp = connection


def head_from(stream, line):
    """The head that begins with this line; incomplete if its end is missing or too far away."""
    lines = [line]
    while lines[-1].strip(b"\r\n") and lines[-1].endswith(b"\n") and len(lines) < 200:
        lines.append(stream.readline(65537))
    return b"".join(lines)


def is_one_length(values):
    return not values or len(values) == 1 and re.fullmatch("[0-9]{1,18}", values[0])


def members(value):
    """Parses `{name:value,name:value}`; empty if malformed."""
    inner = value.strip()[1:-1]
    pairs = [[part.strip() for part in member.partition(":")] for member in inner.split(",")]
    sound = value.strip() == "{" + inner + "}" and "}" not in inner and all(name and colon for name, colon, _ in pairs)
    return {name: content for name, _, content in pairs} if sound else {}


def passed_on(headers):
    listed = {name.strip().lower() for value in headers.get_all("Connection", []) for name in value.split(",")}
    return [(name, value) for name, value in headers.items() if name.lower().replace("_", "-") not in NOT_PASSED_ON | listed]


class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True

    def __getattr__(self, name):  # every method is routed the same way
        return self.serve if name.startswith("do_") else object.__getattribute__(self, name)

    def parse_request(self):
        """Reads the head of a request, and lets Python parse it if it is valid."""
        head, connection = head_from(self.rfile, self.raw_requestline), self.rfile
        self.rfile = io.BytesIO(head[len(self.raw_requestline) :])
        sound = super().parse_request()
        self.rfile = connection
        if sound and not REQUEST.fullmatch(head):
            self.close_connection, sound = True, self.send_error(400)
        return sound

    def serve(self):
        try:
            self.check()
            body = self.body()
            # A target in absolute form replaces the Host field (RFC 9112 3.2.2).
            _, authority, target = re.fullmatch("((?i:http)://([^/?]+))?(.*)", self.requestline.split()[1]).groups()
            target = "/" + target if authority and not target.startswith("/") else target
            host = authority or self.headers.get("Host", "")
            told = [("Host", host), ("X-Forwarded-Host", host), ("X-Forwarded-Proto", "http")]
            response = cells.route(self.command, target, passed_on(self.headers) + told, body)
        except Refusal as refusal:
            self.close_connection = True
            return self.send_error(refusal.args[0])
        length = response.headers.get("Content-Length")
        bodiless = self.command == "HEAD" or response.status in (204, 304)
        framing = [("Content-Length", length)] if length else [] if bodiless else [("Transfer-Encoding", "chunked")]
        self.send_response_only(response.status, response.reason)
        for name, value in passed_on(response.headers) + framing:
            self.send_header(name, cells.without_address(value) if name.lower() == "location" else value)
        self.end_headers()
        left = 0 if bodiless else int(length or -1)
        try:
            while left and (piece := response.read1(65536)):
                self.wfile.write(piece if length else b"%x\r\n%b\r\n" % (len(piece), piece))
                left -= len(piece)
            self.wfile.write(b"" if length or bodiless else b"0\r\n\r\n")
            self.close_connection |= left > 0  # the cell truncated the response
        except (OSError, http.client.HTTPException):
            self.close_connection = True
        response.close()

    def check(self):
        """Refuses an ambiguous host (RFC 9112 3.2) or message length (6.3)."""
        hosts, lengths, codings = (self.headers.get_all(name, []) for name in ("Host", "Content-Length", "Transfer-Encoding"))
        one_host = len(hosts) == 1 and not re.search("[ /?#@]", hosts[0]) or self.request_version == "HTTP/1.0" and not hosts
        chunked = [coding.strip().lower() for coding in codings] == ["chunked"] and not lengths
        if not one_host or not is_one_length(lengths) or codings and not chunked:
            raise Refusal(400)
        if self.command in ("OPTIONS", "TRACE") and "Max-Forwards" in self.headers:
            raise Refusal(501)  # nobody counts proxies here (RFC 9110 7.6.2)

    def chunk_size(self):
        line = self.rfile.readline(4096)
        if not (sound := re.fullmatch(rb"([0-9A-Fa-f]{1,15})[ \t]*(;[^\r\n]*)?\r\n", line)):
            raise Refusal(400)
        return int(sound[1], 16)

    def body(self):
        """The buffered body of the request; None if it has none."""
        body, chunked = b"", "Transfer-Encoding" in self.headers
        size = self.chunk_size() if chunked else int(self.headers.get("Content-Length", 0))
        while size:
            if len(body) + size > cells.limits["max_buffered_body_bytes"]:
                raise Refusal(413)
            body += (piece := self.rfile.read(size))
            if len(piece) < size or chunked and self.rfile.readline() != b"\r\n":
                raise Refusal(400)  # shorter or longer than announced
            size = self.chunk_size() if chunked else 0
        while chunked and self.rfile.readline().strip():
            pass  # trailers
        return body if chunked or "Content-Length" in self.headers else None


if __name__ == "__main__":
    if os.environ["CELLS_PROTOCOL"] != "buffering":
        sys.exit(69)  # router contract: protocol not applicable
    with open(os.environ["CELLS_TOPOLOGY"], encoding="utf-8") as file:
        cells = Cells(json.load(file))
    host, port = os.environ["CELLS_LISTEN"].rsplit(":", 1)
    Server = socketserver.ThreadingTCPServer
    Server.allow_reuse_address, Server.daemon_threads, Server.request_queue_size = True, True, 128
    Server((host, int(port)), Handler).serve_forever()
