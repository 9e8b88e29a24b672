// Lists the folders of tests that have a lane of their own, and the properties in which lanes differ.

/** Tests that attack the sandbox. */
export const SANDBOX_ATTACKS = ['test/redteam/sandbox'];
/** Tests that attack the pipeline, with proposals and with answers of models. */
export const PIPELINE_ATTACKS = ['test/redteam/pipeline', 'test/redteam/replies'];
/** Tests that run a real Prometheus. */
export const PROMETHEUS = ['test/conformance/prometheus'];
/** Tests that run with a fake clock. */
export const FAKETIME = ['test/conformance/faketime'];
/** Tests that take too long for the other lanes. */
export const LONG = ['test/unit/bench', 'test/conformance/long', 'test/long'];
/** Tests of the lane that installs real agents. */
export const AGENTS = ['test/conformance/agents'];
/** The tests of the lane that installs the libraries that run models. */
export const INFERENCE = ['test/conformance/inference'];
/**
 * Maximum number of failed tests in a lane for which they run again. If more fail, something is broken, and they are
 * not flaky.
 */
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
 * Lanes in a real window that run again if they fail, because Selfware does not control everything on the page. A test
 * that then passes is flaky.
 */
export const WINDOW_LANES = new Set(['minutes', 'workbench', 'decision', 'exthost']);
