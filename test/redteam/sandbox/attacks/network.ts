// Attacks that speak to somebody.

import type { Attack } from '../attack.ts';

// Globals of `node -e`.
declare const net: typeof import('node:net');

export const NETWORK: readonly Attack[] = [
  {
    name: 'connect by TCP',
    program: (g) =>
      net
        .connect(g.tcpPort, '127.0.0.1')
        .on('error', () => undefined)
        .on('connect', () => process.exit()),
  },
  {
    name: 'connect by TCP over IPv6',
    program: (g) =>
      net
        .connect(g.tcpPort, '::1')
        .on('error', () => undefined)
        .on('connect', () => process.exit()),
  },
  {
    name: 'connect to another address of the machine',
    program: (g) =>
      g.address &&
      net
        .connect(g.tcpPort, g.address)
        .on('error', () => undefined)
        .on('connect', () => process.exit()),
  },
  {
    name: 'send by UDP',
    program: (g) => {
      const socket = process.getBuiltinModule('node:dgram').createSocket('udp4');
      socket.on('error', () => undefined).send('x', g.udpPort, '127.0.0.1', () => socket.close());
    },
  },
  {
    name: 'ask a name server',
    program: (g) => {
      const resolver = new (process.getBuiltinModule('node:dns').Resolver)({ timeout: 500, tries: 1 });
      resolver.setServers([`127.0.0.1:${g.udpPort}`]);
      resolver.resolve4(`${g.mark}.example.com`, () => undefined);
    },
  },
  {
    name: 'reach another machine',
    program: () => {
      const names = Object.values(process.getBuiltinModule('node:os').networkInterfaces())
        .flat()
        .filter((one) => one && !one.internal);
      if (names.length > 0) console.log('LOOT: a network');
    },
  },
  {
    name: 'connect to a service by its unix socket',
    program: (g) =>
      net
        .connect(`${g.outside}/socket`)
        .on('error', () => undefined)
        .on('connect', () => process.exit()),
  },
  {
    name: 'connect to a unix socket in the home folder',
    program: (g) =>
      net
        .connect(`${g.home}/.gnupg-agent`)
        .on('error', () => undefined)
        .on('connect', () => process.exit()),
  },
  {
    name: 'connect to an abstract unix socket',
    program: (g) =>
      net
        .connect(`\0${g.abstractName}`)
        .on('error', () => undefined)
        .on('connect', () => process.exit()),
  },
  {
    name: 'reach the container engine, the message bus or the key agent',
    program: () => {
      const fs = process.getBuiltinModule('node:fs');
      for (const socket of [
        '/run/docker.sock',
        '/var/run/docker.sock',
        '/run/podman/podman.sock',
        '/run/dbus/system_bus_socket',
        '/run/systemd/private',
        `/run/user/${process.getuid?.()}/bus`,
        process.env['SSH_AUTH_SOCK'] ?? '/nowhere',
      ])
        if (fs.existsSync(socket)) console.log(`LOOT: ${socket}`);
    },
  },
];
