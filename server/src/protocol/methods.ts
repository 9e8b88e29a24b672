// The names of the commands, requests and notifications beyond standard LSP, except for requests about tools, which are
// in tools.ts. They are plain constants, so that importing them loads nothing else.

/**
 * Commands of the server (workspace/executeCommand), for any LSP client. Their arguments are described in review.ts,
 * reports.ts, recipes.ts, rules.ts, models.ts, nights.ts and requests.ts.
 */
export const serverCommands = {
  index: 'selfware.server.index',
  improve: 'selfware.server.improve',
  improveWithModel: 'selfware.server.improveWithModel',
  installComponent: 'selfware.server.installComponent',
  withdrawConsent: 'selfware.server.withdrawConsent',
  apply: 'selfware.server.apply',
  reject: 'selfware.server.reject',
  rollback: 'selfware.server.rollback',
  stop: 'selfware.server.stop',
  resume: 'selfware.server.resume',
  judge: 'selfware.server.judge',
  keep: 'selfware.server.keep',
  commit: 'selfware.server.commit',
  showProposal: 'selfware.server.showProposal',
  suppress: 'selfware.server.suppress',
  dismiss: 'selfware.server.dismiss',
  explain: 'selfware.server.explain',
  fixAll: 'selfware.server.fixAll',
  pauseIndexing: 'selfware.server.pauseIndexing',
  resumeIndexing: 'selfware.server.resumeIndexing',
  cancelIndexing: 'selfware.server.cancelIndexing',
  findCalls: 'selfware.server.findCalls',
  findMistakes: 'selfware.server.findMistakes',
  findExamples: 'selfware.server.findExamples',
  proposeTest: 'selfware.server.proposeTest',
  measureCoverage: 'selfware.server.measureCoverage',
  judgeBranch: 'selfware.server.judgeBranch',
  findRecipes: 'selfware.server.findRecipes',
  repeatEdit: 'selfware.server.repeatEdit',
  decideRecipe: 'selfware.server.decideRecipe',
  setup: 'selfware.server.setup',
  outdated: 'selfware.server.outdated',
  doctor: 'selfware.server.doctor',
  verifyLedger: 'selfware.server.verifyLedger',
  verifyChange: 'selfware.server.verifyChange',
  baseline: 'selfware.server.baseline',
  undismiss: 'selfware.server.undismiss',
  forgetLesson: 'selfware.server.forgetLesson',
  decideInbox: 'selfware.server.decideInbox',
  decideBrought: 'selfware.server.decideBrought',
  decideRule: 'selfware.server.decideRule',
  runOvernight: 'selfware.server.runOvernight',
  wishes: 'selfware.server.wishes',
  acceptanceTest: 'selfware.server.acceptanceTest',
  decideAcceptance: 'selfware.server.decideAcceptance',
  showNight: 'selfware.server.showNight',
  acceptNight: 'selfware.server.acceptNight',
  continueNight: 'selfware.server.continueNight',
  endNight: 'selfware.server.endNight',
  dropNight: 'selfware.server.dropNight',
  squashNight: 'selfware.server.squashNight',
  nightPullRequest: 'selfware.server.nightPullRequest',
  dropTask: 'selfware.server.dropTask',
  writeRule: 'selfware.server.writeRule',
} as const;

/** Custom requests, client → server. */
export const requests = {
  /** () → SidebarState */
  state: 'selfware/state',
  /** OpportunitiesParams → OpportunityPage */
  opportunities: 'selfware/opportunities',
  /** OpportunityFilesParams → OpportunityFiles */
  opportunityFiles: 'selfware/opportunityFiles',
  /** ProposalRef → Review */
  review: 'selfware/review',
  /** ProposalRef → EvidenceAnswer: the evidence for a proposal, as Markdown. */
  evidence: 'selfware/evidence',
  /** ExplainParams → ExplainAnswer: the reason for an opportunity and the page of its rule, as Markdown. */
  explain: 'selfware/explain',
  /** RuleFileRef → RuleFileText: a file of rules that the repository brings along; null if there is none. */
  broughtRules: 'selfware/broughtRules',
  /** () → DismissalList: the dismissals in force, of all folders. */
  dismissals: 'selfware/dismissals',
  /** SearchParams → SearchAnswer */
  search: 'selfware/search',
  /** ContextParams → ContextAnswer */
  context: 'selfware/context',
  /** StoredModelKeys → null: all keys that the person has stored; they replace the keys that were sent before. */
  modelKeys: 'selfware/model/keys',
} as const;

/** Custom requests, server → client, used only if the client announces them in its `InitializationOptions`. */
export const clientRequests = {
  /** SaveParams → SaveResult: save these documents now, so that an applied change is on disk. */
  save: 'selfware/save',
  /** () → EditorModelList */
  models: 'selfware/model/list',
  /** EditorModelQuestion → EditorModelEnd; can be cancelled like every request. */
  askModel: 'selfware/model/ask',
} as const;

/** Notifications, server → client. */
export const notifications = {
  /** () : SidebarState has changed; the client requests it again when it shows it. */
  stateChanged: 'selfware/stateChanged',
  /** Review: a proposal is verified and waits for a decision. */
  reviewReady: 'selfware/reviewReady',
  /** Outcome: a change in probation ended without a request of the person. */
  outcome: 'selfware/outcome',
} as const;
/** Notifications, client → server. */
export const clientNotifications = {
  /** {trusted: true}: the user has granted workspace trust. */
  trust: 'selfware/trust',
  /** {uri}: later requests that name no folder refer to this folder. */
  folder: 'selfware/folder',
  /** EditorModelText: a piece of an answer. */
  modelText: 'selfware/model/text',
} as const;
