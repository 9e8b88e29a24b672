// Exports LanceDB and Arrow from one module, so that one dynamic import loads both late. They are CommonJS: in a
// bundle, only a static import sees their names.

import * as arrow from 'apache-arrow';
import * as lancedb from '@lancedb/lancedb';

export { arrow, lancedb };
