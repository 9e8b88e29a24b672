// Exports LanceDB and Arrow from one module, so that a single dynamic import can load both when they are needed. Both
// are CommonJS modules: in a bundle, only a static import sees their names.

import * as arrow from 'apache-arrow';
import * as lancedb from '@lancedb/lancedb';

export { arrow, lancedb };
