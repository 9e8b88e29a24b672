// No code that a proposal brings, no request and no word gets past the gates and the charter, and nothing but what was
// applied is ever changed.

import { ON_CODE } from './attacks.ts';
import { testOnOneGround } from './sharedGround.ts';

await testOnOneGround(ON_CODE);
