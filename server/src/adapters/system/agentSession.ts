// Detects whether an agent has started this process: by a mark in the environment, or by a parent process that runs a
// server for agents.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { findRunningAgentServers } from './runningProcesses.ts';
import { PS_PATH } from './systemPrograms.ts';
import type { Environment } from '../../util/values/environment.ts';

/** Name of the variable that Selfware's servers for agents set. The processes that they start inherit it. */
const OWN_MARK_VARIABLE = 'SELFWARE_AGENT';
/** Names of variables that known agents set for the commands that they run. */
const AGENT_MARK_VARIABLES = ['CLAUDECODE', 'GEMINI_CLI', 'CURSOR_AGENT', 'CODEX_SANDBOX'];
/** Maximum number of ancestors that are checked; processes hardly ever have more. */
const MAX_ANCESTORS = 64;
/** Matches the names of programs that only start another program. */
const STARTER_NAME = /^(?:env|npx|npm|npx-cli\.js|npm-cli\.js)$/;
/** Matches the names of shells. */
const SHELL_NAME = /^(?:ba|da|z|k)?sh$/;

/** Marks this process, and those that inherit its environment, as belonging to an agent. */
export function markAgentSession(): void {
  process.env[OWN_MARK_VARIABLE] = '1';
}

/** The sign that identifies the agent, as the end of a sentence; null if there is none. */
export async function detectAgentSession(env: Environment): Promise<string | null> {
  const mark = [OWN_MARK_VARIABLE, ...AGENT_MARK_VARIABLES].find((name) => env[name]);
  if (mark !== undefined) return `${mark} is set in its environment`;
  const serverPids = await findRunningAgentServers(env);
  if (serverPids.length === 0) return null;
  const ancestors = new Set(await readAncestors(process.pid));
  for (const serverPid of serverPids) {
    const clientPid = await findClient(serverPid);
    if (clientPid === null || !ancestors.has(clientPid)) continue;
    return `process ${clientPid} has started both this command and a Selfware server for agents`;
  }
  return null;
}

/** The client of a server: its nearest ancestor that does more than start another program. Null if there is none. */
async function findClient(server: number): Promise<number | null> {
  for (const pid of await readAncestors(server)) {
    if (pid > 1 && !isStarter(await readCommand(pid))) return pid;
  }
  return null;
}

/** True for a program that only starts another program: `sh -c`, `npx`, `npm exec`, `env`. */
function isStarter(command: string): boolean {
  const [program = '', firstArgument = ''] = command.split(' ').map((word) => basename(word));
  return (
    STARTER_NAME.test(program) ||
    (SHELL_NAME.test(program) && /^-\w*c$/.test(firstArgument)) ||
    (program === 'node' && STARTER_NAME.test(firstArgument))
  );
}

/** The ancestors of a process, nearest first. Empty if the system does not report them. */
async function readAncestors(pid: number): Promise<readonly number[]> {
  const ancestors: number[] = [];
  let current = await findParent(pid);
  while (current !== null && current > 0 && ancestors.length < MAX_ANCESTORS) {
    ancestors.push(current);
    current = await findParent(current);
  }
  return ancestors;
}

async function findParent(pid: number): Promise<number | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    // Reads the fields after the name in parentheses, because the name may contain spaces and parentheses (proc(5)).
    return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  }
  const parent = Number(await queryPs(pid, 'ppid='));
  return parent > 0 ? parent : null;
}

async function readCommand(pid: number): Promise<string> {
  if (process.platform !== 'linux') return queryPs(pid, 'command=');
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
}

async function queryPs(pid: number, field: string): Promise<string> {
  if (process.platform === 'win32') return '';
  const output = await promisify(execFile)(PS_PATH, ['-o', field, '-p', String(pid)]).catch(() => null);
  return output?.stdout.trim() ?? '';
}
