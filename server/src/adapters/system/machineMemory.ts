// Measures the memory of this machine, or of the container in which this process runs.

import { freemem, totalmem } from 'node:os';
import type { MachineMemory } from '../../util/memoryTiers.ts';

/**
 * The memory now. The available part is unknown in a container with a limit and on macOS, where memory in use cannot be
 * distinguished from files that the system keeps in memory. The memory of a graphics card is not measured.
 */
export function readMachineMemory(): MachineMemory {
  const [machine, limit] = [totalmem(), process.constrainedMemory()];
  if (limit > 0 && limit < machine) return { total: limit, available: null };
  return { total: machine, available: process.platform === 'darwin' ? null : freemem() };
}
