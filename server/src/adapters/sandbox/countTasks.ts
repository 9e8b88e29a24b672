// Counts processes and threads in a separate process, which runs this function as text, so the function must not use
// anything outside of itself.
//
// A fork bomb takes all processors, so each check must be very cheap. The kernel's number of all tasks of the machine
// is one line. If it has grown, and from time to time, the tasks of a command are counted in the process file system of
// the command's own namespace: one folder lists its processes, and for each process the number of links of another
// folder shows its number of threads.

/**
 * Writes an empty line once it is ready. Reads `+ ID LEADER LIMIT` and `- ID` line by line. Answers `-` in the same
 * form, and writes `! ID` when it has ended a command. `chrt` is the program that changes the scheduling of a process
 * (chrt(1)); null if it is missing.
 */
export function countTasks(chrt: string | null): void {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { readdirSync, readFileSync, readlinkSync, statSync, writeSync } = process.getBuiltinModule('node:fs');
  const { setPriority } = process.getBuiltinModule('node:os');
  const { createInterface } = process.getBuiltinModule('node:readline');
  const CHECK_EVERY_MS = 20;
  /**
   * Milliseconds after which the tasks of a command are counted even if the machine's number has not grown: while a
   * command started tasks, as many others may have ended.
   */
  const COUNT_EVERY_MS = 250;

  interface Command {
    readonly leader: number;
    readonly limit: number;
    /** The first process of the command's namespace, once it exists. */
    initPid: number | null;
    /** Time of the last count, in milliseconds of `performance.now()`. */
    countedAt: number;
    /** Tasks of the command in the last count. */
    taskCount: number;
    /** Tasks of the machine at the time of the last count. */
    machineTasks: number;
  }

  const commands = new Map<string, Command>();
  let timer: NodeJS.Timeout | null = null;
  /** The process namespace of this process; null if the system does not report it. */
  const namespaceOfProcess = nullIfUnreadable(() => readlinkSync('/proc/self/ns/pid'));

  raisePriority();
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const [action, id = '', leader, limit] = line.split(' ');
      if (action === '-') {
        commands.delete(id);
        writeSync(1, `- ${id}\n`);
        return;
      }
      commands.set(id, {
        leader: Number(leader),
        limit: Number(limit),
        initPid: null,
        countedAt: 0,
        taskCount: 0,
        machineTasks: 0,
      });
      timer ??= setInterval(check, CHECK_EVERY_MS);
    })
    .on('close', () => process.exit());
  writeSync(1, '\n');

  /**
   * Raises the priority of this process, which would otherwise wait for tenths of a second among thousands of others. A
   * container may forbid both ways; then more processes are started before they are counted.
   */
  function raisePriority(): void {
    const realTime = ['--rr', '--reset-on-fork', '--pid', '1', String(process.pid)];
    if (chrt !== null && spawnSync(chrt, realTime, { stdio: 'ignore' }).status === 0) return;
    nullIfUnreadable(() => setPriority(-20));
  }

  function check(): void {
    const machine = Number(/\/(\d+) /.exec(readText('/proc/loadavg'))?.[1] ?? Number.POSITIVE_INFINITY);
    for (const [id, command] of commands) if (isDue(command, machine)) count(id, command, machine);
    if (commands.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  /**
   * True if the last count is old, or if the machine has gained more tasks than half of the number that the command
   * could still start before it reached its limit.
   */
  function isDue({ countedAt, taskCount, machineTasks, limit }: Command, machine: number): boolean {
    return performance.now() - countedAt >= COUNT_EVERY_MS || machine - machineTasks > (limit - taskCount) / 2;
  }

  function count(id: string, command: Command, machine: number): void {
    const { leader, limit } = command;
    command.initPid ??= findNamespaceInit(leader);
    const innerTasks = command.initPid === null ? null : countTasksInside(command.initPid, limit);
    if (innerTasks === null) command.initPid = null;
    command.taskCount = innerTasks ?? countTasksBelow(leader);
    command.machineTasks = machine;
    command.countedAt = performance.now();
    if (command.taskCount <= limit) return;
    commands.delete(id);
    writeSync(1, `! ${id}\n`);
    // If the first process of a namespace is killed, the kernel ends the whole namespace, and no further process can be
    // started in it.
    for (const pid of [command.initPid, -leader])
      nullIfUnreadable(() => {
        if (pid !== null) process.kill(pid, 'SIGKILL');
      });
  }

  /** The first process below `leader` in another process namespace than this process. */
  function findNamespaceInit(leader: number): number | null {
    const descendants = [leader];
    for (const pid of descendants) {
      const namespace = nullIfUnreadable(() => readlinkSync(`/proc/${pid}/ns/pid`));
      if (namespaceOfProcess !== null && namespace !== null && namespace !== namespaceOfProcess) return pid;
      descendants.push(...readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number));
    }
    return null;
  }

  /**
   * Number of tasks in a namespace. Null if it has no processes yet or has ended, or if they may not be read. Stops
   * counting beyond the limit.
   */
  function countTasksInside(init: number, limit: number): number | null {
    const folder = `/proc/${init}/root/proc`;
    // Until the mounts are complete, this is the machine's /proc, in which this process has a number as well.
    if (nullIfUnreadable(() => readlinkSync(`${folder}/self`)) !== null) return null;
    const pids = nullIfUnreadable(() => readdirSync(folder))?.filter(isNumber);
    if (pids === undefined || pids.length === 0) return null;
    let tasks = pids.length;
    for (const pid of pids) {
      if (tasks > limit) break;
      // The folder has two links for itself and one for each thread, the first of which is already counted.
      const links = nullIfUnreadable(() => statSync(`${folder}/${pid}/task`, { throwIfNoEntry: false })?.nlink);
      tasks += Math.max(0, (links ?? 0) - 3);
    }
    return tasks;
  }

  /**
   * Number of tasks of a command without a namespace: all descendants of the leader, and all members of its process
   * group.
   */
  function countTasksBelow(leader: number): number {
    const children = new Map<number, { readonly pid: number; readonly tasks: number }[]>();
    const queue: { readonly pid: number; readonly tasks: number }[] = [];
    for (const name of readdirSync('/proc').filter(isNumber)) {
      const stat = readText(`/proc/${name}/stat`);
      // The fields are described in proc(5). The second one, the program's name, may contain spaces and parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent, group, taskCount] = [Number(fields[1]), Number(fields[2]), Number(fields[17])];
      if (stat === '') continue;
      const processTasks = { pid: Number(name), tasks: taskCount };
      if (processTasks.pid === leader || group === leader) queue.push(processTasks);
      else children.set(parent, [...(children.get(parent) ?? []), processTasks]);
    }
    for (const { pid } of queue) queue.push(...(children.get(pid) ?? []));
    return queue.reduce((sum, { tasks: taskCount }) => sum + taskCount, 0);
  }

  function isNumber(name: string): boolean {
    return /^\d+$/.test(name);
  }

  function readText(file: string): string {
    return nullIfUnreadable(() => readFileSync(file, 'utf8')) ?? '';
  }

  /**
   * The result of `work`; null if it throws. A process may end at any moment, and file handles may run out; then the
   * next check counts.
   */
  function nullIfUnreadable<T>(work: () => T): T | null {
    try {
      return work();
    } catch {
      return null;
    }
  }
}
