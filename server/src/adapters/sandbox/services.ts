// Starts services that tests expect, from this machine's packages. They run in parallel with a command in the same
// isolation, on its loopback and in its temporary folder; they are empty, and end with the command.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import type { Service, ServiceKind } from '../../core/model.ts';
import { quoteForShell, findSystemProgram } from './isolation/mechanism.ts';

/** The folder in which Debian's packages of PostgreSQL put a folder for each version. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
/** The port on which each service listens. */
const PORT_BY_SERVICE: Readonly<Partial<Record<ServiceKind, number>>> = { postgresql: 5432, redis: 6379 };
/** Milliseconds in which a service has to start. */
const WAIT_MS = 30_000;

/**
 * The text of a program for node that waits until the port in its argument accepts a connection. Its exit code is 1 if
 * that takes longer than `WAIT_MS`.
 */
const WAIT_SCRIPT = `const net=require('node:net'),until=Date.now()+${WAIT_MS};
const go=()=>net.connect(+process.argv[1],'127.0.0.1').once('connect',()=>process.exit(0))
.once('error',()=>Date.now()>until?process.exit(1):setTimeout(go,20));go()`;

/**
 * For PostgreSQL, the folder of its programs; for Redis, the path of its server or of Valkey. Null if this machine has
 * none, or if Selfware cannot start services of this kind.
 */
export function findServiceProgram(kind: ServiceKind): string | null {
  if (kind === 'redis') return findSystemProgram('redis-server') ?? findSystemProgram('valkey-server');
  if (kind !== 'postgresql') return null;
  // The newest version in the folder of Debian's packages, otherwise the one in the system's folders.
  for (const version of listEntries(DEBIAN_POSTGRES).sort((a, b) => Number(b) - Number(a))) {
    const folder = join(DEBIAN_POSTGRES, version, 'bin');
    if (listEntries(folder).includes('initdb')) return folder;
  }
  const initdb = findSystemProgram('initdb');
  return initdb === null ? null : join(initdb, '..');
}

/**
 * The command line that starts these services and then runs `command`; unchanged without services. Throws `unavailable`
 * if a service is missing.
 */
export function addServices(command: readonly string[], services: readonly Service[]): readonly string[] {
  if (services.length === 0) return command;
  const lines = services.flatMap((service) => {
    const program = findServiceProgram(service.kind);
    if (program === null)
      throw new SelfwareError('unavailable', `The tests need ${service.kind}, and this machine has none.`, {
        action: 'Run `selfware setup`: it says what is missing.',
      });
    return service.kind === 'redis' ? createRedisLines(program) : createPostgresLines(program, service);
  });
  // The started services end with the command, whatever its exit code.
  return [
    '/bin/sh',
    '-c',
    [...lines, '"$@"', 'code=$?', 'kill $started 2>/dev/null', 'exit $code'].join('\n'),
    'sh',
    ...command,
  ];
}

function createRedisLines(server: string): readonly string[] {
  return [
    'mkdir -p "$TMPDIR/redis"',
    `${quoteForShell(server)} --port ${PORT_BY_SERVICE.redis} --bind 127.0.0.1 --save '' --appendonly no --dir "$TMPDIR/redis" ` +
      '--unixsocket "$TMPDIR/redis/redis.sock" > "$TMPDIR/redis/log" 2>&1 &',
    'started="$started $!"',
    createWaitLine('redis', '"$TMPDIR/redis/log"'),
  ];
}

function createPostgresLines(folder: string, { user = 'postgres', database }: Service): readonly string[] {
  const dataFolder = '"$TMPDIR/postgres"';
  const sqlLine = (sql: string) =>
    `${quoteForShell(`${folder}/psql`)} -q -h 127.0.0.1 -U postgres -d postgres -c ${quoteForShell(sql)} >> "$TMPDIR/postgres.log" 2>&1`;
  return [
    // The server refuses to run as root, and root in the sandbox has no rights outside of it.
    'as() { if [ "$(id -u)" = 0 ]; then unshare --user --map-user=1000 --map-group=1000 -- "$@"; else "$@"; fi; }',
    // A sandbox is reused, so the data of an earlier run is removed.
    `rm -rf ${dataFolder}`,
    `as ${quoteForShell(`${folder}/initdb`)} -D ${dataFolder} -U postgres --auth=trust -N -E UTF8 > "$TMPDIR/postgres.log" 2>&1 ` +
      `|| { cat "$TMPDIR/postgres.log" >&2; exit 97; }`,
    `as ${quoteForShell(`${folder}/postgres`)} -D ${dataFolder} -h 127.0.0.1 -k "$TMPDIR" -p ${PORT_BY_SERVICE.postgresql} -c fsync=off ` +
      '>> "$TMPDIR/postgres.log" 2>&1 &',
    'started="$started $!"',
    createWaitLine('postgresql', '"$TMPDIR/postgres.log"'),
    ...(user === 'postgres' ? [] : [sqlLine(`create role "${user}" superuser login`)]),
    ...(database === undefined || database === 'postgres' ? [] : [sqlLine(`create database "${database}"`)]),
    `: "\${PGUSER:=${user}}" "\${PGDATABASE:=${database ?? 'postgres'}}"`,
    'export PGUSER PGDATABASE',
  ];
}

/** A line that waits until the service listens; it ends the shell with 97 if the service does not start. */
function createWaitLine(kind: 'redis' | 'postgresql', log: string): string {
  return (
    `node -e ${quoteForShell(WAIT_SCRIPT)} ${PORT_BY_SERVICE[kind]} || { cat ${log} >&2; echo "${kind} does ` +
    `not start here." >&2; exit 97; }`
  );
}

function listEntries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder is missing or may not be read.
    return [];
  }
}
