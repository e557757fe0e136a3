export { listLabelMoves } from './list-label-moves.js';
export { listLensCases, removeLensCase, saveLensCase } from './lens-cases.js';
export { discardLensDraft, getLensDraft, saveLensDraft } from './lens-drafts.js';
export { listSponsorships } from './list-sponsorships.js';
export type { OwnSponsorship } from './list-sponsorships.js';
export { eraseHiddenLenses } from './erase-hidden-lenses.js';
export { lensVersionText, readableLens, seenLensTitle } from './access.js';
export { archiveLens } from './archive-lens.js';
export { contractChange } from './contract.js';
export type { ParamRequest } from './contract.js';
export { createLens } from './create-lens.js';
export { deleteLens } from './delete-lens.js';
export { diffLensVersions } from './diff-lens-versions.js';
export { estimateMaxTokens, estimateTokens } from './estimate-tokens.js';
export { exportLens } from './export-lens.js';
export type { LensDocument } from './export-lens.js';
export { extractLensParams } from './extract-lens-params.js';
export { findAndRunLens } from './find-and-run-lens.js';
export { forkLens } from './fork-lens.js';
export { getLensText } from './get-lens-text.js';
export { getLensVersion } from './get-lens-version.js';
export { getLens } from './get-lens.js';
export { importLens } from './import-lens.js';
export { Lens, lensStatuses, lensVisibilities } from './lens.entity.js';
export type { LensStatus, LensVisibility } from './lens.entity.js';
export { listIncludingLenses } from './list-including-lenses.js';
export { listLensVersions } from './list-lens-versions.js';
export { listLenses } from './list-lenses.js';
export type { LensFilter } from './lens-filter.js';
export { addLensUses } from './add-lens-uses.js';
export { findByName, listOwnNames, readLensName } from './named-lenses.js';
export { listNumberedVersions, readPromptVersion } from './numbered-versions.js';
export { toMustache } from './to-mustache.js';
export { publishLens } from './publish-lens.js';
export { restoreLens } from './restore-lens.js';
export { runLens } from './run-lens.js';
export type { WriteTrackingRecord, ResolvedLens } from './run-lens.js';
export { applySettings, leavesModelOpen } from './lens-settings.js';
export type { ModelCall } from './lens-settings.js';
export { listEqualVersions, listLensVersionNames, versionById, versionsByIds } from './version-reads.js';
export { servedAt, atVersion, chooseVersionOf, runnableLens } from './runnable-lens.js';
export { toOpenAiMembers } from './to-openai-members.js';
export { type StoredVersion, readLensVersion } from './version-reads.js';
export type { RunnableLens } from './runnable-lens.js';
export { searchLenses } from './search-lenses.js';
export type { LensSearch } from './search-lenses.js';
export { readRules } from './read-rules.js';
export { removeLensLabel, returnLensLabel, setLensLabel } from './set-lens-label.js';
export { setLensVisibility } from './set-lens-visibility.js';
export { setSponsorship } from './set-sponsorship.js';
export type { SponsorshipInput } from './set-sponsorship.js';
export type { LensDetail, LensPage, LensSummary, VersionDetail } from './shapes.js';
export { ownSponsorship, readSponsorPool } from './sponsorship.js';
export type { Sponsorship } from './sponsorship.js';
export type { LensInclude } from './include-tags.js';
export { saveCandidate } from './save-candidate.js';
export type { Candidate, SavedCandidate } from './save-candidate.js';
export {
  ParsedTemplate,
  missingMessage,
  missingParams,
  paramKey,
  resolveTemplate,
  templateParams,
  textOf,
  unknownParams,
} from './template.js';
export type { Conversation, Turn } from './template.js';
export { updateLens } from './update-lens.js';
export type { LensChange } from './update-lens.js';
export { validateLensParams } from './validate-lens-params.js';
