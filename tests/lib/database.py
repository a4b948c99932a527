# SPDX-License-Identifier: GPL-2.0-or-later
"""database.py - a server that takes what "ringside ship" sends, and misbehaves on request

Usage: database.py LOG PORT-FILE NAME=FILE.pem...

Writes a line of JSON to LOG for each request. Listens on a port for each NAME, by TLS with the certificate and key in FILE.pem, by
plain HTTP where FILE is empty, and writes "NAME PORT" to PORT-FILE. The name says what it does:
  lossy...      breaks the connection instead of the first two acknowledgments of rows of ringside_finding: of the first in a connection
                that was left open, where a client tries again by itself
  away...       answers 302 to the first name's port, for each request
"""
import http.server
import json
import os
import ssl
import sys
import threading
import urllib.parse

log = open(sys.argv[1], "a", buffering=1)  # a test empties it
lock = threading.Lock()
ports, nr_broken = {}, 0


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global nr_broken
        name = self.server.name
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("query", [""])[0] or body
        table = query.split()[2] if query.startswith("INSERT") else ""
        breaks = name.startswith("lossy") and table == "ringside_finding" and nr_broken < 2
        with lock:
            log.write(json.dumps({"to": name, "query": query.split("(")[0], "table": table, "breaks": breaks,
                                  "authorization": self.headers.get("Authorization"),
                                  "rows": [json.loads(line) for line in body.splitlines()] if table else []}) + "\n")
        if breaks:
            nr_broken += 1
            self.close_connection = True
            return
        if name.startswith("away"):
            self.send_response(302)
            self.send_header("Location", "http://localhost:%d/" % next(iter(ports.values())))
        else:
            self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):  # of a client that refuses the certificate
            super().handle_error(request, client_address)


servers = []
for name, _, pem in (argument.partition("=") for argument in sys.argv[3:]):
    server = Server(("127.0.0.1", 0), Handler)
    server.name = name
    if pem:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    ports[name] = server.server_address[1]
    servers.append(server)
with open(sys.argv[2] + ".new", "w") as f:
    f.writelines("%s %d\n" % port for port in ports.items())
os.rename(sys.argv[2] + ".new", sys.argv[2])
for server in servers[1:]:
    threading.Thread(target=server.serve_forever, daemon=True).start()
servers[0].serve_forever()
