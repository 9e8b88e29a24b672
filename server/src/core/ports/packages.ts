// Installs the packages of a repository once, in a scratch copy whose network is restricted to some hosts. Later
// sandboxes use the result.

import type { Operation } from '../operation.ts';
import type { ChangedFiles } from './sandbox.ts';

/** One command of an installation; it runs in the scratch copy. */
export interface InstallStep {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** True if the step may contact the hosts of the installation. If false, it runs without network, as the tests do. */
  readonly network: boolean;
}

/** An installation to run. */
export interface InstallOrder {
  /** Name of the result, derived from everything that determines it. */
  readonly name: string;
  /** The part of the name that is derived from the files of the repository. */
  readonly shape: string;
  readonly steps: readonly InstallStep[];
  /** The only hosts that the steps may contact. */
  readonly hosts: readonly string[];
  /** Paths of files and folders that are stored in addition to each `node_modules`. */
  readonly keep: readonly string[];
  /** Files that are written into the scratch copy first; null bytes remove a file. If omitted, none. */
  readonly changed?: ChangedFiles;
}

/** The result of one command. */
export interface StepResult {
  readonly command: readonly string[];
  readonly exitCode: number | null;
  readonly outcome: 'exited' | 'timedOut' | 'cancelled' | 'notFound';
  /** The limit that the step exceeded, for which it was stopped, as the end of a sentence; absent if there is none. */
  readonly exceeded?: string;
  /** Standard output, then standard error. */
  readonly output: string;
  readonly millis: number;
}

/** The result of a command that only looks something up. */
export interface LookUpResult extends StepResult {
  readonly stdout: string;
}

/** A scratch copy of the repository without packages. Disposing of it removes it. */
export interface NetworkScratch extends AsyncDisposable {
  /** Writes files into the copy; null bytes remove a file. */
  place(files: ChangedFiles): Promise<void>;
  /** The bytes of a file; null if there is no such regular file. */
  read(path: string): Promise<Uint8Array | null>;
  /** Runs a command in `folder`, relative to the copy. Throws `cancelled`. */
  run(step: InstallStep & { readonly folder?: string }, operation: Operation): Promise<LookUpResult>;
  /** Hosts that a command tried to contact and was refused. */
  readonly refusedHosts: readonly string[];
}

/** The result of an installation. */
export interface InstallResult {
  readonly steps: readonly StepResult[];
  /** Hosts that a step tried to contact and was refused. */
  readonly refusedHosts: readonly string[];
  /** The stored result; null if a step failed, and then nothing is stored. */
  readonly kept: PackageTree | null;
}

/** The result of an installation, in the state folder. */
export interface PackageTree {
  readonly name: string;
  readonly shape: string;
  /** Paths of the stored folders and files, relative to the top of the work tree. */
  readonly entries: readonly string[];
  /** Names of packages with an install script or native code. Only scripts that a person allowed have run. */
  readonly wantScripts: readonly string[];
  readonly contentHash: string;
  readonly files: number;
  readonly bytes: number;
}

/** Properties of the machine that affect an installation. */
export interface MachineFacts {
  readonly platform: string;
  readonly arch: string;
  /** The version of Node. */
  readonly node: string;
  /** The version of Node's binary interface, on which native packages depend. */
  readonly abi: string;
  /** Identifies the repository, so that no other repository gets its packages. */
  readonly repository: string;
  /** Paths of the programs of services and tools on this machine, by name. */
  readonly programs: Readonly<Record<string, string>>;
}

/** The port for installing packages. */
export interface Packages {
  facts(): Promise<MachineFacts>;
  /** Paths relative to the root: files that git tracks, and other files that are not ignored. */
  files(signal: AbortSignal): Promise<{ readonly tracked: readonly string[]; readonly others: readonly string[] }>;
  /** Installs the packages. Throws `unavailable` if no isolation for the commands works, and `cancelled`. */
  install(order: InstallOrder, operation: Operation): Promise<InstallResult>;
  /**
   * Opens a scratch copy whose commands reach these hosts only. Their programs, such as npm and its node, come from
   * outside of the repository. Throws `unavailable` if no isolation for the commands works.
   */
  openScratch(hosts: readonly string[], signal: AbortSignal): Promise<NetworkScratch>;
  /** Sets the packages that Selfware gives to later sandboxes; null for none. */
  share(keptTree: PackageTree | null): Promise<void>;
  /** The packages that Selfware gives to sandboxes now; null if there are none. */
  shared(): Promise<PackageTree | null>;
  /**
   * The stored packages that fit the current files with these changes. `none` if the files need no packages; null if no
   * set-up fits.
   */
  findFitting(changed: ChangedFiles, signal: AbortSignal): Promise<PackageTree | 'none' | null>;
  /** The unchanged installation with this name; null if it is missing, or has changed since. */
  find(name: string): Promise<PackageTree | null>;
}
