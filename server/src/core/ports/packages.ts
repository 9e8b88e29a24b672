// Installing the packages that a repository names: once, with network, in a scratch copy, kept for later sandboxes.

import type { Operation } from '../operation.ts';
import type { ChangedFiles } from './sandbox.ts';

/** One command of an installation, run in the scratch copy. */
export interface InstallStep {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** False: it runs as the tests do, without any network. */
  readonly network: boolean;
}

export interface InstallOrder {
  /** Names the result: made of everything that shapes it. */
  readonly name: string;
  /** The part of the name that the files of the repository make. */
  readonly shape: string;
  readonly steps: readonly InstallStep[];
  /** The only hosts that the steps may reach. */
  readonly hosts: readonly string[];
  /** Paths and names of folders that are kept besides each `node_modules`. */
  readonly keep: readonly string[];
}

export interface StepResult {
  readonly command: readonly string[];
  readonly exitCode: number | null;
  readonly outcome: 'exited' | 'timedOut' | 'cancelled' | 'notFound';
  readonly output: string;
  readonly millis: number;
}

export interface InstallResult {
  readonly steps: readonly StepResult[];
  /** Hosts that were asked for and refused. */
  readonly refusedHosts: readonly string[];
  /** Null where a step failed: nothing is kept then. */
  readonly kept: KeptTree | null;
}

/** What an installation left, as it lies in the state folder. */
export interface KeptTree {
  readonly name: string;
  readonly shape: string;
  /** Relative to the top of the work tree: package folders and files. */
  readonly entries: readonly string[];
  /** Packages that have an install script or native code, by name; they were not run unless they are allowed. */
  readonly wantScripts: readonly string[];
  readonly contentHash: string;
  readonly files: number;
  readonly bytes: number;
}

/** What of the machine shapes an installation. */
export interface MachineFacts {
  readonly platform: string;
  readonly arch: string;
  readonly node: string;
  readonly abi: string;
  /** Names the repository, so that no other one is lent what it has installed. */
  readonly repository: string;
  /** Addresses of the services' programs that this machine has, by name. */
  readonly programs: Readonly<Record<string, string>>;
}

export interface Packages {
  facts(): Promise<MachineFacts>;
  /** Paths of files relative to the root: those that git tracks, and others that it does not ignore. */
  files(signal: AbortSignal): Promise<{ readonly tracked: readonly string[]; readonly others: readonly string[] }>;
  /** Throws `unavailable` where nothing shuts the commands in, and `cancelled`. */
  install(order: InstallOrder, operation: Operation): Promise<InstallResult>;
  /** What is lent to sandboxes from now on; null: nothing of ours. */
  lend(kept: KeptTree | null): Promise<void>;
  /** What is lent now; null = nothing. */
  lent(): Promise<KeptTree | null>;
  /** What is kept for the files of now with these changes; `none` = they ask for no packages, null = no set-up fits. */
  fitting(changed: ChangedFiles, signal: AbortSignal): Promise<KeptTree | 'none' | null>;
  /** What was installed under this name and is as it was; null = not there, or changed since. */
  find(name: string): Promise<KeptTree | null>;
}
