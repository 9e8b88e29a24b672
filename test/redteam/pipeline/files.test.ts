// No edit of a protected, misleading or judging file gets past the gates and the charter, and nothing but what was
// applied is ever changed.

import { ON_FILES } from './attacks.ts';
import { testOnOneGround } from './sharedGround.ts';

await testOnOneGround(ON_FILES);
