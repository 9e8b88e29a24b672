// Stores the number and the hash of the newest event in a file next to the ledger. A chain whose end was cut off looks
// intact; this file reveals the loss.

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { ChainPosition } from './ledgerChain.ts';

/**
 * The stored head. `missing`: there is no file, which is valid only for a new ledger. `damaged`: the file exists, but
 * does not contain a head.
 */
export function readHead(file: string): ChainPosition | 'missing' | 'damaged' {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw error;
  }
  const [, sequence, hash] = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(text) ?? [];
  return sequence === undefined || hash === undefined ? 'damaged' : { sequence: Number(sequence), hash };
}

/**
 * Replaces the file in one step. Call it for an event that is committed already, inside another write transaction, so
 * that only one process writes: then the file may be behind the ledger after a crash, which is harmless, but not ahead.
 */
export function writeHead(file: string, head: ChainPosition): void {
  const temporary = `${file}.tmp`;
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    writeSync(descriptor, `${head.sequence} ${head.hash}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
