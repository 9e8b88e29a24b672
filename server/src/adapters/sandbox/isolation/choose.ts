// Which mechanism isolates on this machine: the first that a real try shows to work.

import type { Isolation } from '../../../core/ports.ts';
import { bubblewrap } from './bubblewrap.ts';
import { container } from './container.ts';
import type { Mechanism } from './mechanism.ts';
import { probe } from './probe.ts';
import { sandboxExec } from './sandboxExec.ts';
import { unshare } from './unshare.ts';

/** In the order in which they are tried. */
export const MECHANISMS: readonly Mechanism[] = [bubblewrap, unshare, sandboxExec, container];

export interface Choice {
  /** Null = commands run as any other process of the user. */
  readonly mechanism: Mechanism | null;
  readonly isolation: Isolation;
}

let chosen: Promise<Choice> | null = null;

/** Tried once a process: what a machine allows does not change under it. */
export function chooseIsolation(): Promise<Choice> {
  chosen ??= firstThatWorks(MECHANISMS);
  return chosen;
}

export async function firstThatWorks(mechanisms: readonly Mechanism[]): Promise<Choice> {
  const tried: Isolation['tried'][number][] = [];
  for (const mechanism of mechanisms) {
    const trouble = await probe(mechanism);
    tried.push({ kind: mechanism.kind, trouble });
    if (trouble === null) return { mechanism, isolation: { kind: mechanism.kind, confined: true, tried } };
  }
  return { mechanism: null, isolation: { kind: 'none', confined: false, tried } };
}
