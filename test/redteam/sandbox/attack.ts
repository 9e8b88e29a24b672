// What an attack on the sandbox is: a program that a repository's own test could be, and what tells from outside
// whether it got away.

import type { ChosenIsolation } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import type { RunResult } from '../../../server/src/core/ports/sandbox.ts';

/** What lies outside of the sandbox, as plain data: the program gets it, and knows more than a real one would. */
export interface Ground {
  /**
   * A folder that whoever runs Selfware can write, with `theirs`, `customers.csv` and `socket` (a listening unix
   * socket).
   */
  readonly outside: string;
  /** The home folder, with secrets in it. */
  readonly home: string;
  /** The user's work tree; `node_modules/lent` is installed, `.env` is ignored by git and holds the secret. */
  readonly repository: string;
  readonly stateDir: string;
  /** The sandbox's own folder. */
  readonly sandbox: string;
  /** Part of every secret that lies about. */
  readonly secret: string;
  /** Servers on the machine's loopback. */
  readonly tcpPort: number;
  readonly udpPort: number;
  /** Of an abstract unix socket. */
  readonly abstractName: string;
  /** An address of the machine that is not loopback, or null. */
  readonly address: string | null;
  /** A process of the same user that minds its own business. */
  readonly bystander: number;
  /** The process that runs Selfware. */
  readonly parent: number;
  /** Fresh for each attack: a name for files and marks. */
  readonly mark: string;
}

/** What can be seen from outside when the command has ended. */
export interface Scene {
  readonly ground: Ground;
  readonly result: RunResult;
  /** True when a server of the ground has been spoken to since the attack began. */
  readonly reached: boolean;
  /** True when a bystander was ended or something of the ground is no longer as it was. */
  readonly damaged: boolean;
  /** By how many the processes and threads of the machine had grown at most while the command ran. */
  readonly tasks: number;
  /** Command lines of processes that live and carry the mark. */
  readonly left: readonly string[];
  /** Paths below the ground, `/tmp` and the like whose name holds the mark; those in the sandbox left out. */
  readonly traces: readonly string[];
}

export interface Attack {
  readonly name: string;
  /**
   * Runs in the sandbox by Node, as text: uses nothing from around it but its argument. `process.getBuiltinModule`
   * brings modules.
   */
  readonly program?: (ground: Ground) => unknown;
  /** Instead: a line for the shell, with `$MARK` and `$OUTSIDE`, and files of the tree that it needs. */
  readonly shell?: string;
  /** The line runs once more in the same sandbox, after what the first run has done. */
  readonly twice?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  /**
   * True when the sandbox did not hold. Left out: the command says so itself, traces are left, something is damaged or
   * was reached.
   */
  readonly escaped?: (scene: Scene) => boolean | Promise<boolean>;
  /** Not to be tried without isolation: it would do what it says. */
  readonly onlyShutIn?: boolean;
  /** Goes for a part of the kernel that only a filter of system calls closes. */
  readonly needsCallFilter?: boolean;
}

/** Whether the attack is one on what this choice promises. */
export function isMeantFor(attack: Attack, { mechanism }: ChosenIsolation): boolean {
  if (mechanism === null) return !attack.onlyShutIn && !attack.needsCallFilter;
  return !attack.needsCallFilter || mechanism.filtersCalls;
}

/** What an attack prints when it holds something that it should not. */
export const LOOT = 'LOOT:';

export function hasEscaped(attack: Attack, scene: Scene): boolean | Promise<boolean> {
  if (attack.escaped) return attack.escaped(scene);
  return (
    scene.damaged ||
    scene.reached ||
    scene.traces.length > 0 ||
    scene.left.length > 0 ||
    scene.result.stdout.includes(scene.ground.secret) ||
    scene.result.stdout.includes(LOOT)
  );
}
