// The folders of tests that belong to a lane of their own, and how lanes differ from each other.

export const SANDBOX_ATTACKS = ['test/redteam/sandbox'];
export const PIPELINE_ATTACKS = ['test/redteam/pipeline', 'test/redteam/replies'];
export const PROMETHEUS = ['test/conformance/prometheus'];
export const FAKETIME = ['test/conformance/faketime'];
export const LONG = ['test/unit/bench', 'test/conformance/long', 'test/long'];
/** Tests of the lane that installs real agents. */
export const AGENTS = ['test/conformance/agents'];
/** The tests of the lane that installs the libraries that run models. */
export const INFERENCE = ['test/conformance/inference'];
/** If more tests than this fail in one lane, something is broken, and the tests are not flaky. */
export const MAX_FLAKY = 30;
/** Lanes that need the packed extension. */
export const PACKAGE_LANES = new Set([
  'package',
  'minutes',
  'hour',
  'workbench',
  'decision',
  'review',
  'several',
  'folders',
  'models',
  'night',
  'wishes',
  'rules',
  'repeat',
  'exthost',
  'reviews',
  'oldest',
  'pictures',
]);
/**
 * Lanes in a real window that run again if they fail, because not everything on the page is controlled by Selfware. A
 * test that then passes is flaky.
 */
export const WINDOW_LANES = new Set(['minutes', 'workbench', 'decision', 'exthost']);
