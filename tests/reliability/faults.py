"""What happens to the cluster while people play. Each fault is over when all servers are in health again."""
import signal, time


class Faults:
    """`happened` has an object for each: what, when it began and when it was over."""

    def __init__(self, cluster, random, pause):
        self.cluster, self.random, self.pause, self.happened = cluster, random, pause, []

    def inflict(self, kind):
        fault = {"kind": kind, "begin": time.time()}
        self.happened.append(fault)
        getattr(self, kind)()
        for server in self.cluster.servers:
            server.wait_until(server.healthy)
        fault["end"] = time.time()

    def kill(self):
        """A server dies at once, and is started again."""
        server = self.random.choice(self.cluster.servers)
        server.stop(signal.SIGKILL)
        self.pause(self.random.uniform(0, 1.5))
        server.start()

    def bus(self):
        """The bus is away for some seconds; a server may die meanwhile."""
        self.cluster.bus.stop(self.random.choice([signal.SIGTERM, signal.SIGKILL]))
        self.pause(self.random.uniform(0.5, 3))
        if self.random.random() < 0.5:
            self.inflict("kill")
        self.cluster.bus.start()

    def bus_silent(self):
        """The bus takes what it is told and says nothing, for some seconds: no connection ends."""
        self.cluster.bus.send(signal.SIGSTOP)
        self.pause(self.random.uniform(1, 8))
        self.cluster.bus.send(signal.SIGCONT)

    def postgres(self):
        """The database is restarted in order."""
        self.restart_postgres(signal.SIGINT)

    def postgres_crash(self):
        """The database dies, and recovers from its log."""
        self.restart_postgres(signal.SIGQUIT)

    def restart_postgres(self, number):
        self.cluster.postgres.stop(number)
        self.pause(self.random.uniform(0, 2))
        self.cluster.postgres.start()

    def swallowed(self):
        """What one server sends to the database arrives nowhere, for some seconds."""
        link = self.random.choice(self.cluster.links)
        link.send(signal.SIGSTOP)
        self.pause(self.random.uniform(2, 6))
        link.send(signal.SIGCONT)

    def refused(self):
        """The database refuses one server, for some seconds."""
        link = self.random.choice(self.cluster.links)
        link.stop(signal.SIGKILL)
        self.pause(self.random.uniform(2, 5))
        link.start()
