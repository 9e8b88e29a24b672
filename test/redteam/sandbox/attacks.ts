// The library of attacks on the sandbox. A further one is a row in one of these files.

import type { Attack } from './attack.ts';
import { KERNEL } from './attacks/kernel.ts';
import { LIMITS } from './attacks/limits.ts';
import { NETWORK } from './attacks/network.ts';
import { PROCESSES } from './attacks/processes.ts';
import { SECRETS } from './attacks/secrets.ts';
import { WRITES } from './attacks/writes.ts';

export const ATTACKS: readonly Attack[] = [...WRITES, ...SECRETS, ...NETWORK, ...PROCESSES, ...LIMITS, ...KERNEL];
