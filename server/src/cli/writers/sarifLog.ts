// Creates the frame of a SARIF 2.1.0 document (OASIS) with one run, which all reports of the command line share.

/** The address of the product's repository, which contains the pages of the rules. */
export const PRODUCT_URL = 'https://github.com/selfware/selfware';
/** The name by which code-scanning tools know the root of the checkout. */
const ROOT_URI_NAME = '%SRCROOT%';

/** The content of one run. */
export interface SarifRun<Rule, Result> {
  /** The category, by which tools distinguish the reports about one commit. */
  readonly id: string;
  readonly rules: readonly Rule[];
  readonly results: readonly Result[];
  readonly properties?: object;
}

/** A document with one run of this version of Selfware. */
export function createSarifLog<Rule, Result>(
  version: string,
  { id, rules, results, properties }: SarifRun<Rule, Result>,
) {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Selfware', version, semanticVersion: version, informationUri: PRODUCT_URL, rules } },
        automationDetails: { id },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT_URI_NAME]: { description: { text: 'The root of the repository.' } } },
        results,
        ...(properties && { properties }),
      },
    ],
  };
}

/** The location of a file in the checkout. `path` is relative to the root of the repository, with forward slashes. */
export function createArtifactLocation(path: string) {
  const uri = path
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return { uri, uriBaseId: ROOT_URI_NAME };
}
