// The frame of a SARIF 2.1.0 document (OASIS) with one run, which all reports of the command line share.

/** Address of the product's repository, with the pages of the rules. */
export const PRODUCT_URL = 'https://github.com/selfware/selfware';
/** The name that code-scanning tools use for the root of the checkout. */
const ROOT_URI_NAME = '%SRCROOT%';

/** The content of one run. */
export interface SarifRun<Rule, Result> {
  /** The category, by which a tool distinguishes the reports of one commit. */
  readonly id: string;
  readonly rules: readonly Rule[];
  readonly results: readonly Result[];
  readonly properties?: object;
}

/** A document with one run of this version of Selfware. Pure. */
export function sarifLog<Rule, Result>(version: string, { id, rules, results, properties }: SarifRun<Rule, Result>) {
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

/** A file in the checkout. `path` is relative to the repository's root, with forward slashes. */
export function artifactLocation(path: string) {
  const uri = path
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return { uri, uriBaseId: ROOT_URI_NAME };
}
