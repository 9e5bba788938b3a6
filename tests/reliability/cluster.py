"""Everything that runs behind the players: PostgreSQL, the bus, the servers with a link of their own to the database, and the
balancer in front. On loopback ports of this machine; each ends with this process, however that ends.
"""
import ctypes, os, pathlib, pwd, shutil, signal, socket, subprocess, tempfile, time, urllib.error, urllib.request

PATIENCE = 30  # seconds for anything to start or to stop
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_until(true, what):
    deadline = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} has not happened within {PATIENCE} s")
        time.sleep(0.02)


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def healthy(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=2) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


class Process:
    """A program in the background that can be stopped and started again. Started by the main thread alone: the kernel ends it
    with the thread that started it."""

    def __init__(self, folder, name, words, user=None, dies_by=signal.SIGKILL):
        self.name, self.words, self.user, self.dies_by = name, words, user, dies_by
        self.log = folder / f"{name}.log"
        self.process = None

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/",
                                            env={**os.environ, "TMPDIR": str(self.log.parent)}, start_new_session=True, user=self.user, group=self.user,
                                            extra_groups=[] if self.user else None,
                                            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, self.dies_by))

    def send(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM):
        """Until it is gone."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(number)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def ended(self):
        return self.process is None or self.process.poll() is not None

    def last_words(self):
        return (self.log.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]

    def check(self):
        if self.ended():
            raise RuntimeError(f"{self.name} has ended by itself: {self.last_words()}")

    def wait_until(self, ready):
        """Until it is ready, after its start or after a fault."""
        def is_ready():
            self.check()
            return ready()
        wait_until(is_ready, f"that {self.name} is ready")


class Postgres(Process):
    def __init__(self, folder, port):
        self.port, self.data = port, folder / "postgres"
        programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        user = "postgres" if os.getuid() == 0 else None  # it refuses to run as root
        self.data.mkdir()
        if user:
            shutil.chown(self.data, user, pwd.getpwnam(user).pw_gid)
        subprocess.run([programs / "initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-N"], user=user, group=user,
                       extra_groups=[] if user else None, cwd="/", stdout=subprocess.DEVNULL, check=True)
        options = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": 200}
        super().__init__(folder, "postgres", [programs / "postgres", "-D", self.data] +
                         [word for name, value in options.items() for word in ("-c", f"{name}={value}")],
                         user=user, dies_by=signal.SIGQUIT)
        self.ready = [programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "postgres"]

    def start(self):
        super().start()
        self.wait_until(lambda: subprocess.run(self.ready).returncode == 0)

    def stop(self, number=signal.SIGINT):  # fast: it does not wait for those who are connected
        super().stop(number)

    def url(self, database, port=None):
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}"


class Bus(Process):
    def __init__(self, folder, port):
        self.port = port
        super().__init__(folder, "bus", ["nats-server", "-a", "127.0.0.1", "-p", str(port)])

    def start(self):
        super().start()
        self.wait_until(lambda: answers(self.port))


DEFAULTS = """
global
  maxconn 4000
defaults
  maxconn 4000
  timeout connect 1s
  timeout client 1h
"""


class Link(Process):
    """Between one server and the database: stopped (SIGSTOP) it swallows everything, killed it refuses."""

    def __init__(self, folder, number, database_port, port):
        self.port = port
        file = folder / f"link{number}.cfg"
        file.write_text(DEFAULTS + f"""
  timeout server 1h
listen link
  mode tcp
  bind 127.0.0.1:{port}
  server database 127.0.0.1:{database_port}
""")
        super().__init__(folder, f"link{number}", ["haproxy", "-db", "-f", str(file)])

    def start(self):
        super().start()
        self.wait_until(lambda: answers(self.port))


class Server(Process):
    def __init__(self, folder, number, program, port, database, bus):
        self.port = port
        words = [program, "serve", "--bench", "--port", str(port), "--database", database]
        super().__init__(folder, f"server{number}", words + ["--bus", bus])

    def healthy(self):
        return healthy(self.port)


class Balancer(Process):
    """Any server for anybody: no sticky sessions."""

    def __init__(self, folder, port, servers):
        self.port = port
        file = folder / "balancer.cfg"
        file.write_text(DEFAULTS + f"""
  mode http
  timeout http-request 10s
  timeout server 5s
  timeout tunnel 1h
  timeout check 1s
  retries 3
  option redispatch 1
listen tessera
  bind 127.0.0.1:{port}
  balance roundrobin
  option httpchk GET /api/health
  http-check expect status 200
  default-server check inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
""" + "".join(f"  server {server.name} 127.0.0.1:{server.port}\n" for server in servers))
        super().__init__(folder, "balancer", ["haproxy", "-db", "-f", str(file)])

    def start(self):
        super().start()
        self.wait_until(lambda: healthy(self.port))

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"


class Cluster:
    def __init__(self, program):
        self.program, self.folder = program, pathlib.Path(tempfile.mkdtemp(prefix="tessera-reliability-"))
        self.folder.chmod(0o755)  # PostgreSQL's user has a folder in it
        self.started = []

    def prepare(self, count):
        database_port, bus_port, balancer_port, *ports = free_ports(3 + 2 * count)
        self.postgres = Postgres(self.folder, database_port)
        self.bus = Bus(self.folder, bus_port)
        self.links = [Link(self.folder, n, database_port, ports[2 * n]) for n in range(count)]
        self.servers = [Server(self.folder, n, self.program, ports[2 * n + 1], self.postgres.url("tessera", self.links[n].port),
                               f"nats://127.0.0.1:{bus_port}") for n in range(count)]
        self.balancer = Balancer(self.folder, balancer_port, self.servers)

    def start(self, servers=3):
        self.prepare(servers)
        for each in [self.postgres, self.bus, *self.links]:
            self.begin(each)
        subprocess.run(["psql", "-X", "-q", "-d", self.postgres.url("postgres"), "-c", "CREATE DATABASE tessera"], check=True)
        for server in self.servers:
            self.begin(server)
            server.wait_until(server.healthy)  # one after the other: the first makes the tables
        self.begin(self.balancer)

    def begin(self, process):
        self.started.append(process)
        process.start()

    def load(self, name, arguments):
        """Players at the balancer; returns the process and the file of what they are told."""
        history = self.folder / f"{name}.jsonl"
        words = [self.program, "load", "--url", self.balancer.url, "--comes-back", "--history", str(history), "--json",
                 "--seconds", "86400", *arguments]
        load = Process(self.folder, f"load_{name}", words)
        self.begin(load)
        return load, history

    def stop(self):
        for process in reversed(self.started):
            process.stop(signal.SIGINT if process is self.postgres else signal.SIGKILL)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
