// Which files are tests, by their place and name.

const folders = /(^|\/)(tests?|__tests__|testing|specs?|e2e|fixtures|__fixtures__|testdata|testsuite)\//i;
const names =
  /^(test_.*|.*[._-](test|tests|spec|bench|e2e)\..+|.*_(test|spec)\..+|.*Tests?\.(java|kt|cs|swift|scala|php)|conftest\.py)$/;

export function isTestPath(path: string): boolean {
  return folders.test(path) || names.test(path.slice(path.lastIndexOf('/') + 1));
}
