// Names the page of the evidence for a proposal, and finds the proposal of a page. VS Code tells only the title of a
// tab, which ends with this name. Plain data in and out.

/** A proposal by its id and title. */
export interface TitledProposal {
  readonly id: string;
  readonly title: string;
}

/**
 * The name of the page. It ends with the id, because several proposals may have the same title, also one that waits and
 * one that was refused.
 */
export function evidenceName({ id, title }: TitledProposal): string {
  return `Evidence ${asFileName(title)} (${id}).md`;
}

/** True if a page with this title of its tab shows the evidence for the proposal. */
export function isEvidencePageOf(label: string, { id }: Pick<TitledProposal, 'id'>): boolean {
  return label.endsWith(` (${id}).md`);
}

/** The title without characters that separate folders or schemes. */
export function asFileName(title: string): string {
  return title.replace(/[/:\\]+\s*/g, ' ');
}
