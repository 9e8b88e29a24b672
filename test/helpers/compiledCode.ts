// Where the built program keeps what the engine has compiled of it, in tests: each test gives it a state folder of its
// own, and compiling everything again for each process takes half of the processor time of a short command.

import { join } from 'node:path';

/** Variables for the environment of each process that runs the built program. */
export const sharedCode = { NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'output', 'code') } as const;
