// The process that counts processes and threads, as text: the function uses nothing from around it.
//
// A fork bomb takes all processors, so a look must cost next to nothing. The kernel's number of all tasks of the
// machine is one line. Only if it has grown are the tasks of a command counted, by the process file system of its own
// namespace: one folder, and the number of links of another one for each process, which is its number of threads.

/**
 * Reads `+ ID LEADER LIMIT` and `- ID` line by line. Answers `-` alike, and says `! ID` when it has ended a command.
 * `chrt` is the program that changes how a process is scheduled (chrt(1)); null where it is missing.
 */
export function countTasks(chrt: string | null): void {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { readdirSync, readFileSync, readlinkSync, statSync, writeSync } = process.getBuiltinModule('node:fs');
  const { setPriority } = process.getBuiltinModule('node:os');
  const { createInterface } = process.getBuiltinModule('node:readline');
  const LOOK_EVERY_MS = 20;
  /** Also when the machine's number says nothing new: others may have ended as many as a command has started. */
  const COUNT_EVERY_MS = 250;

  interface Command {
    readonly leader: number;
    readonly limit: number;
    /** The first process of the command's namespace, once there is one. */
    init: number | null;
    /** Of the last count: when, how many of the command, how many of the machine. */
    at: number;
    tasks: number;
    machine: number;
  }

  const commands = new Map<string, Command>();
  let timer: NodeJS.Timeout | null = null;
  /** Null where nobody tells. */
  const own = orNull(() => readlinkSync('/proc/self/ns/pid'));

  comeFirst();
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const [what, id = '', leader, limit] = line.split(' ');
      if (what === '-') {
        commands.delete(id);
        writeSync(1, `- ${id}\n`);
        return;
      }
      commands.set(id, { leader: Number(leader), limit: Number(limit), init: null, at: 0, tasks: 0, machine: 0 });
      timer ??= setInterval(look, LOOK_EVERY_MS);
    })
    .on('close', () => process.exit());
  writeSync(1, '\n');

  /**
   * Among thousands that want to run, it would wait for tenths of a second. A container may forbid both; then some more
   * processes are there before they are counted.
   */
  function comeFirst(): void {
    const realTime = ['--rr', '--reset-on-fork', '--pid', '1', String(process.pid)];
    if (chrt !== null && spawnSync(chrt, realTime, { stdio: 'ignore' }).status === 0) return;
    orNull(() => setPriority(-20));
  }

  function look(): void {
    const machine = Number(/\/(\d+) /.exec(textOf('/proc/loadavg'))?.[1] ?? Number.POSITIVE_INFINITY);
    for (const [id, command] of commands) if (isDue(command, machine)) count(id, command, machine);
    if (commands.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  /** A command cannot have reached its limit if the machine has fewer new tasks than it was short of. */
  function isDue({ at, tasks, machine: before, limit }: Command, machine: number): boolean {
    return performance.now() - at >= COUNT_EVERY_MS || machine - before > (limit - tasks) / 2;
  }

  function count(id: string, command: Command, machine: number): void {
    const { leader, limit } = command;
    command.init ??= namespaceBelow(leader);
    const inside = command.init === null ? null : tasksInside(command.init, limit);
    if (inside === null) command.init = null;
    command.tasks = inside ?? tasksBelow(leader);
    command.machine = machine;
    command.at = performance.now();
    if (command.tasks <= limit) return;
    commands.delete(id);
    writeSync(1, `! ${id}\n`);
    // With its first process the kernel ends the whole namespace, and lets nobody start in it from then on.
    for (const pid of [command.init, -leader])
      orNull(() => {
        if (pid !== null) process.kill(pid, 'SIGKILL');
      });
  }

  /** The first process below `leader` that is in another namespace of processes than we are. */
  function namespaceBelow(leader: number): number | null {
    const found = [leader];
    for (const pid of found) {
      const namespace = orNull(() => readlinkSync(`/proc/${pid}/ns/pid`));
      if (own !== null && namespace !== null && namespace !== own) return pid;
      found.push(...textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number));
    }
    return null;
  }

  /** Null if nobody is there yet or any more, or we may not look. Stops counting beyond the limit. */
  function tasksInside(init: number, limit: number): number | null {
    const folder = `/proc/${init}/root/proc`;
    // Until everything is mounted, this is the machine's, where we have a number as well.
    if (orNull(() => readlinkSync(`${folder}/self`)) !== null) return null;
    const pids = orNull(() => readdirSync(folder))?.filter(isNumber);
    if (pids === undefined || pids.length === 0) return null;
    let tasks = pids.length;
    for (const pid of pids) {
      if (tasks > limit) break;
      // A link for each thread and two for the folder itself.
      const links = orNull(() => statSync(`${folder}/${pid}/task`, { throwIfNoEntry: false })?.nlink);
      tasks += Math.max(0, (links ?? 0) - 3);
    }
    return tasks;
  }

  /** Without a namespace: everybody who descends from the leader or is in its group. */
  function tasksBelow(leader: number): number {
    const children = new Map<number, { readonly pid: number; readonly tasks: number }[]>();
    const queue: { readonly pid: number; readonly tasks: number }[] = [];
    for (const name of readdirSync('/proc').filter(isNumber)) {
      const stat = textOf(`/proc/${name}/stat`);
      // Fields of proc(5); the second, the program's name, may hold blanks and brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent, group, tasks] = [Number(fields[1]), Number(fields[2]), Number(fields[17])];
      if (stat === '') continue;
      const one = { pid: Number(name), tasks };
      if (one.pid === leader || group === leader) queue.push(one);
      else children.set(parent, [...(children.get(parent) ?? []), one]);
    }
    for (const { pid } of queue) queue.push(...(children.get(pid) ?? []));
    return queue.reduce((sum, { tasks }) => sum + tasks, 0);
  }

  function isNumber(name: string): boolean {
    return /^\d+$/.test(name);
  }

  function textOf(file: string): string {
    return orNull(() => readFileSync(file, 'utf8')) ?? '';
  }

  /** A process may be gone at any moment, and we may be out of handles: the next look makes up for it. */
  function orNull<T>(work: () => T): T | null {
    try {
      return work();
    } catch {
      return null;
    }
  }
}
