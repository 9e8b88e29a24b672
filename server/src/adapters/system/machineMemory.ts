// Measures the memory of this machine, or of the container in which this process runs.

import { freemem, totalmem } from 'node:os';
import type { MachineMemory } from '../../util/memoryTiers.ts';

/**
 * The memory now. What is in use is unknown in a container with a limit, where it cannot be told from files that the
 * system keeps in memory, and on macOS, for the same reason. The memory of a graphics card is not measured.
 */
export function machineMemory(): MachineMemory {
  const [machine, limit] = [totalmem(), process.constrainedMemory()];
  if (limit > 0 && limit < machine) return { total: limit, available: null };
  return { total: machine, available: process.platform === 'darwin' ? null : freemem() };
}
