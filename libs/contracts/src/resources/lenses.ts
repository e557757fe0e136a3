import { dateTime, decimal, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, recordKind, textKind } from '../schema/kinds.js';
import { LabelRules } from './gates.js';
import { LabelBounds, LabelMove, LabelPlace, ofBefore, ofMoved } from './labels.js';
import { LibraryItem } from './library-item.js';
import { LensSettings } from './lens-settings.js';
import { Sampling } from './models.js';
import { CountedPageQuery } from '../schema/paging.js';
import { RunOptions, idempotencyKey } from './run-options.js';
import { type MessageRole, messageRoles } from './run-message.js';
import { type FundingSource, type RunStatus, fundingSources, runStatuses } from './runs.js';

export class LensPath {
  @uuid({ description: 'The lens.' })
  lensId!: string;
}

export class LensExecuteRequest extends RunOptions {
  @record({ description: 'Inputs passed to the template of the lens.' })
  params!: Record<string, unknown>;

  @text({ min: 1, max: 200, optional: true, description: 'The model to use instead of the default.' })
  modelOverride?: string;

  @text({ min: 1, max: 100, optional: true, description: 'The provider to use instead of the default.' })
  providerOverride?: string;

  @oneOf(fundingSources, { optional: true, description: 'The source of the credits or key that pays for the run.' })
  fundingSource?: FundingSource;

  @text({ min: 1, max: 100, optional: true, description: 'Required when fundingSource is user_byok_cloud.' })
  byokKeyRefId?: string;

  @text(idempotencyKey)
  idempotencyKey?: string;

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'The id, number or label of a version; the newest when absent.',
  })
  version?: string;

  @record({
    optional: true,
    description: 'A JSON Schema that the answer must match; for models with the capability json.',
  })
  outputSchema?: Record<string, unknown>;

  @nested(() => Sampling, { optional: true })
  sampling?: Sampling;
}

export class LensBatchRequest {
  @list(recordKind(), {
    min: 1,
    max: 1000,
    description:
      'Items like the body of an execution, each with its own idempotencyKey. A fault of one item does not affect the others.',
  })
  items!: Record<string, unknown>[];
}

export class LensBatchFault {
  @text()
  code!: string;

  @text()
  message!: string;

  @record({ optional: true })
  details?: Record<string, unknown>;
}

export class LensBatchItem {
  @uuid({ optional: true })
  runId?: string;

  @oneOf(runStatuses, { optional: true })
  status?: RunStatus;

  @nested(() => LensBatchFault, { optional: true, description: 'The fault of an item without a run.' })
  error?: LensBatchFault;
}

export class LensBatchAccepted {
  @uuid({
    description: 'The batch of the runs that this request started; runs of repeated items keep their earlier batch.',
  })
  batchId!: string;

  @list(nestedKind(() => LensBatchItem), { description: 'The items, in the order of the request.' })
  items!: LensBatchItem[];
}

/** The media types of images in prompts. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
const messageLimits = { min: 1, max: 100 } as const;

const visibilities = ['public', 'community', 'private'] as const;
const statuses = ['draft', 'published', 'archived'] as const;
const sorts = ['newest', 'popular'] as const;
type Visibility = (typeof visibilities)[number];
type Status = (typeof statuses)[number];

const title = { min: 1, max: 200, pattern: /\S/ } as const;
/** The limits of a template. */
export const templateBody = { min: 50, max: 100_000 } as const;
const description = { max: 2000 } as const;
const changelog = { max: 2000 } as const;
const tags = { max: 20 } as const;
const tagKind = textKind({ min: 1, max: 50 });
const ofMessages = 'Instead of templateBody: the parts of a conversation, each with a role.';
const ofParams = 'Must match the template; optional.';
const ofSettings = 'The model, its sampling and the schema of its answers; null when the lens leaves them to requests.';

export class LensParamInput {
  @text({ min: 1, max: 100 })
  label!: string;

  @flag()
  optional!: boolean;
}

class MessageImage {
  @oneOf(imageTypes)
  mediaType!: (typeof imageTypes)[number];

  @text({
    min: 1,
    max: 2048,
    pattern: /^https:\/\/\S+$/,
    description: 'An https address, from which the provider reads it.',
  })
  url!: string;
}

export class LensMessagePart {
  @nested(() => MessageImage)
  image!: MessageImage;
}

export class LensMessage {
  @oneOf(messageRoles)
  role!: MessageRole;

  @text({
    min: 1,
    description: 'A template; [[history]] alone stands for earlier messages that a request gives as params.history.',
  })
  text!: string;

  @list(nestedKind(() => LensMessagePart), {
    max: 10,
    optional: true,
    description: 'Images of a message of the user, the same in each request.',
  })
  parts?: LensMessagePart[];
}

export class LensFileInclude {
  @text({ min: 4, max: 300, description: 'The tag in the text, such as > alice/tone@production.' })
  tag!: string;

  @text({ description: 'The version that it stood for when the text was saved.' })
  semver!: string;

  @text({ description: 'The text of that version.' })
  text!: string;
}

export class LensInclude extends LensFileInclude {
  @uuid({ nullable: true, description: 'null in an imported lens.' })
  lensId!: string | null;

  @uuid({ nullable: true, description: 'null in an imported lens.' })
  versionId!: string | null;
}

const includesField = { nullable: true, description: 'The lenses whose texts it includes; null without any.' } as const;

export class LensParameter {
  @uuid({ description: 'The same in all versions that have a parameter with this label.' })
  id!: string;

  @text()
  label!: string;

  @flag()
  optional!: boolean;
}

export class LensVersionRef {
  @uuid()
  id!: string;

  @text()
  semver!: string;
}

export class LensItem extends LibraryItem {
  @oneOf(visibilities)
  visibility!: Visibility;

  @oneOf(statuses)
  status!: Status;

  @nested(() => LensVersionRef, {
    description: 'The newest version. In lists, and for others than the owner, the version of the default label.',
  })
  headVersion!: LensVersionRef;

  @list(nestedKind(() => LensParameter))
  params!: LensParameter[];

  @list(tagKind)
  tags!: string[];
}

export class LensLabelPlace extends LabelPlace {
  @text()
  semver!: string;
}

export class LensRecord extends LensItem {
  @text({ description: 'The value of the newest version.' })
  templateBody!: string;

  @text({ description: 'The value of the newest version.' })
  changelog!: string;

  @uuid({ nullable: true, description: 'The lens that this one was forked from, if you can see it.' })
  parentLensId!: string | null;

  @list(nestedKind(() => LensMessage), {
    nullable: true,
    description: 'The parts of templateBody; null when it is one text.',
  })
  messages!: LensMessage[] | null;

  @nested(() => LensSettings, { nullable: true, description: ofSettings })
  settings!: LensSettings | null;

  @list(nestedKind(() => LensInclude), includesField)
  includes!: LensInclude[] | null;

  @list(nestedKind(() => LensLabelPlace))
  labels!: LensLabelPlace[];

  @text({
    nullable: true,
    description: 'Callers that name no version get the one of this label; the newest when null.',
  })
  defaultLabel!: string | null;

  @nested(() => LensVersionRef, { description: 'The version that callers get that name none.' })
  servedVersion!: LensVersionRef;

  @list(textKind(), {
    description: 'Advice about the newest version, such as a parameter that keeps providers from caching.',
  })
  warnings!: string[];
}

export class LensQuery extends CountedPageQuery {
  @text({
    min: 1,
    max: 1000,
    optional: true,
    description:
      'Full-text search in title, tags, description and newest text, by rank. Supports -word, "a phrase" and or. Ranks and counts the first 1,000 matches.',
  })
  q?: string;

  @oneOf(visibilities, { optional: true })
  visibility?: Visibility;

  @oneOf(statuses, { optional: true, description: 'Archived lenses are omitted when it is absent.' })
  status?: Status;

  @uuid({ optional: true, description: 'Lenses of this account.' })
  author?: string;

  @uuid({ optional: true, description: 'Lenses of this community.' })
  community?: string;

  @text({ min: 1, max: 50, optional: true, description: 'Lenses with this tag; ranks and counts the first 1,000.' })
  tag?: string;

  @oneOf(sorts, { optional: true, description: 'newest when absent, or by rank with q.' })
  sort?: (typeof sorts)[number];
}

export class NewLensRequest {
  @text(title)
  title!: string;

  @text({ ...description, description: 'The purpose of the lens.' })
  description = '';

  @text({
    ...templateBody,
    optional: true,
    description: '[[Name]] is a required parameter, [[Name!]] an optional one, \\[[ a literal [[.',
  })
  templateBody?: string;

  @list(nestedKind(() => LensMessage), { ...messageLimits, optional: true, description: ofMessages })
  messages?: LensMessage[];

  @oneOf(visibilities, { description: 'private, when absent: only the owner can see it.' })
  visibility: Visibility = 'private';

  @oneOf(['draft', 'published'], { description: 'Only the owner can see a draft.' })
  status: 'draft' | 'published' = 'published';

  @list(tagKind, { ...tags, optional: true })
  tags?: string[];

  @list(nestedKind(() => LensParamInput), { optional: true, description: ofParams })
  params?: LensParamInput[];

  @nested(() => LensSettings, {
    optional: true,
    nullable: true,
    description: 'The settings of its calls of models.',
  })
  settings?: LensSettings | null;
}

export class LensPatch {
  @text({ ...title, optional: true })
  title?: string;

  @text({ ...description, optional: true })
  description?: string;

  @text({ ...templateBody, optional: true, description: 'A different text creates a new version.' })
  templateBody?: string;

  @list(nestedKind(() => LensMessage), { ...messageLimits, optional: true, description: ofMessages })
  messages?: LensMessage[];

  @oneOf(visibilities, { optional: true })
  visibility?: Visibility;

  @list(tagKind, { ...tags, optional: true })
  tags?: string[];

  @list(nestedKind(() => LensParamInput), { optional: true, description: ofParams })
  params?: LensParamInput[];

  @nested(() => LensSettings, {
    optional: true,
    nullable: true,
    description: 'All settings; different ones create a new version. null removes them.',
  })
  settings?: LensSettings | null;

  @text({
    ...changelog,
    optional: true,
    description: 'The changelog of the new version; a list of the changed parameters when absent.',
  })
  changelog?: string;

  @uuid({
    optional: true,
    description: 'The version on which the template was made. A newer version answers 409; without it, none does.',
  })
  baseVersionId?: string;

  @text({
    min: 1,
    max: 64,
    optional: true,
    nullable: true,
    description:
      'A label of the lens: callers that name no version get its version instead of the newest one. null ends that.',
  })
  defaultLabel?: string | null;
}

export class LensForkRequest {
  @text({ ...title, optional: true, description: '"Fork of" and the id of the source when absent.' })
  title?: string;

  @text({ ...templateBody, optional: true, description: 'The newest text of the source when absent.' })
  templateBody?: string;

  @oneOf(visibilities, { description: 'private, when absent: only the owner can see it.' })
  visibility: Visibility = 'private';
}

export class LensDeleted {
  @flag()
  deleted!: true;

  @uuid()
  lensId!: string;
}

export class LensStateReply {
  @uuid()
  lensId!: string;

  @oneOf(statuses)
  status!: Status;
}

export class LensVersionPath extends LensPath {
  @text({ min: 1, max: 100, description: 'The id, the number or a label of a version.' })
  version!: string;
}

export class LensVersionsQuery extends CountedPageQuery {}

export class LensVersionItem extends LensVersionRef {
  @text()
  changelog!: string;

  @dateTime()
  createdAt!: string;
}

/** A text that is tried before it is saved. */
export class LensCandidate {
  @text({ min: 1, max: templateBody.max, optional: true, description: 'The template; or give messages.' })
  templateBody?: string;

  @list(nestedKind(() => LensMessage), { min: 1, max: 100, optional: true })
  messages?: LensMessage[];

  @nested(() => LensSettings, {
    optional: true,
    nullable: true,
    description: 'The settings of the newest version when absent.',
  })
  settings?: LensSettings | null;
}

export class LensCandidateSaved extends LensVersionRef {
  @flag({ description: 'False for the content of the newest version, which is saved already.' })
  isCandidate!: boolean;
}

class LensDraftContent {
  @text({ max: templateBody.max, description: 'The template as it is, also a short or a faulty one.' })
  templateBody!: string;

  @nested(() => LensSettings, { nullable: true, description: 'All settings; null for none.' })
  settings!: LensSettings | null;

  @text({ ...changelog, description: 'The changelog of the next version.' })
  changelog = '';

  @uuid({ description: 'The version that is changed.' })
  baseVersionId!: string;
}

const ofContinues = 'updatedAt of the draft that was read before';

export class LensDraftRequest extends LensDraftContent {
  @dateTime({
    optional: true,
    nullable: true,
    description: `${ofContinues}, or null if there was none. Another one by then answers 409; without it, none does.`,
  })
  continues?: string | null;
}

export class LensDraftQuery {
  @dateTime({ optional: true, description: `${ofContinues}. Another one by then stays, and is the reply.` })
  continues?: string;
}

/** A change of a lens that is not saved as a version yet. */
export class LensDraft extends LensDraftContent {
  @dateTime()
  updatedAt!: string;
}

export class LensDraftReply {
  @nested(() => LensDraft, { nullable: true, description: 'null without a draft.' })
  draft!: LensDraft | null;
}

export class LensVersionRecord extends LensVersionItem {
  @uuid()
  lensId!: string;

  @text()
  templateBody!: string;

  @list(nestedKind(() => LensMessage), {
    nullable: true,
    description: 'The parts of templateBody; null when it is one text.',
  })
  messages!: LensMessage[] | null;

  @list(nestedKind(() => LensParameter))
  params!: LensParameter[];

  @nested(() => LensSettings, { nullable: true, description: ofSettings })
  settings!: LensSettings | null;

  @list(nestedKind(() => LensInclude), includesField)
  includes!: LensInclude[] | null;
}

export class LensLabelPath extends LensPath {
  @text({ min: 1, max: 64, description: 'a-z, digits and . _ - with a letter first; production, staging or your own.' })
  label!: string;
}

export class WantedArm {
  @text({ min: 1, max: 100, description: 'The id, the number or another label of the version.' })
  version!: string;

  @decimal({ min: 0.01, max: 99.99, description: 'The percentage of sticky keys that get it.' })
  weight!: number;
}

const labelReason = { min: 1, max: 500, optional: true, description: 'Why it moves, for its history.' } as const;

export class LensLabelRequest {
  @text({ min: 1, max: 100, description: 'The id, the number or another label of the version to point at.' })
  version!: string;

  @list(nestedKind(() => WantedArm), {
    max: 5,
    optional: true,
    nullable: true,
    description:
      'Versions that a part of the callers get instead, chosen by the sticky key of a run. When absent they stay if the version does; null: none.',
  })
  arms?: WantedArm[] | null;

  @flag({
    optional: true,
    description:
      'Only a person who is signed in can move or remove a protected label. A new label is not protected; unchanged when absent.',
  })
  protected?: boolean;

  @text({ ...labelReason })
  reason?: string;

  @nested(() => LabelRules, {
    optional: true,
    nullable: true,
    description:
      'Conditions of its moves, which only a person who is signed in sets and removes; unchanged when absent. null: none.',
  })
  rules?: LabelRules | null;

  @nested(() => LabelBounds, {
    optional: true,
    nullable: true,
    description:
      'When it returns by itself to the version before, by the runs of your account. For a label that is protected or has rules, a person who is signed in sets them; unchanged when absent. null: never.',
  })
  bounds?: LabelBounds | null;

  @uuid({
    optional: true,
    description: 'The experiment whose gate the version has passed; the newest that fits when absent.',
    idOf: 'experiment',
  })
  experimentId?: string;

  @flag({ optional: true, description: 'Moves it against its rules: for a person who is signed in, with a reason.' })
  override?: boolean;
}

export class LabelReturnRequest {
  @text({ ...labelReason })
  reason?: string;
}

export class LensLabelMove extends LabelMove {
  @nested(() => LensVersionRef, ofMoved)
  version!: LensVersionRef | null;

  @nested(() => LensVersionRef, ofBefore)
  before!: LensVersionRef | null;
}

export class LensLabelRemoved {
  @uuid()
  lensId!: string;

  @text()
  label!: string;

  @flag()
  removed!: true;
}

export class LensCaseRequest {
  @text({ min: 1, max: 200, description: 'A case with this name is replaced.' })
  name!: string;

  @record({ description: 'Values for the parameters of the lens by their labels; up to 100,000 characters of JSON.' })
  params!: Record<string, unknown>;

  @text({ max: 100_000, optional: true, nullable: true, description: 'An answer to compare others with.' })
  reference: string | null = null;
}

export class LensCase {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @record()
  params!: Record<string, unknown>;

  @text({ nullable: true })
  reference!: string | null;

  @dateTime()
  updatedAt!: string;
}

export class LensCasePath extends LensPath {
  @uuid({ description: 'The case.' })
  caseId!: string;
}

export class LensCaseRemoved {
  @uuid()
  caseId!: string;

  @flag()
  removed!: true;
}

export class WorkflowOfLens {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @list(textKind(), {
    description: 'The versions that its nodes name: ids, numbers or labels; latest for nodes that name none.',
  })
  versions!: string[];

  @dateTime()
  createdAt!: string;
}

export class LensDiffQuery {
  @text({ min: 1, max: 100, description: 'The id, the number or a label of a version.' })
  from!: string;

  @text({ min: 1, max: 100, optional: true, description: 'The newest version when absent.' })
  to?: string;
}

export class LensParamsDiff {
  @list(nestedKind(() => LensParamInput))
  added!: LensParamInput[];

  @list(nestedKind(() => LensParamInput))
  removed!: LensParamInput[];

  @list(nestedKind(() => LensParamInput), { description: 'Parameters that became optional or required.' })
  changed!: LensParamInput[];
}

export class LensSettingChange {
  @text({ description: 'The path of the setting, such as sampling.temperature.' })
  name!: string;

  @json({ description: 'The value before; null when it was not set.' })
  before!: unknown;

  @json({ description: 'The value after; null when it is no longer set.' })
  after!: unknown;
}

export class LensDiffLine {
  @oneOf(['same', 'added', 'removed'])
  kind!: 'same' | 'added' | 'removed';

  @text()
  text!: string;
}

export class LensDiff {
  @uuid()
  lensId!: string;

  @nested(() => LensVersionRef)
  from!: LensVersionRef;

  @nested(() => LensVersionRef)
  to!: LensVersionRef;

  @nested(() => LensParamsDiff)
  params!: LensParamsDiff;

  @list(nestedKind(() => LensSettingChange), { description: 'Settings that changed, by name.' })
  settings!: LensSettingChange[];

  @oneOf(['major', 'minor', 'patch', 'none'])
  bump!: 'major' | 'minor' | 'patch' | 'none';

  @list(nestedKind(() => LensDiffLine), { max: 200_000 })
  lines!: LensDiffLine[];
}

export class LensFileVersion {
  @text({ min: 5, max: 100 })
  semver!: string;

  @text(templateBody)
  templateBody!: string;

  @list(nestedKind(() => LensParamInput), { max: 20_000 })
  params!: LensParamInput[];

  @nested(() => LensSettings, { optional: true, nullable: true })
  settings?: LensSettings | null;

  @list(nestedKind(() => LensFileInclude), { max: 20, optional: true, nullable: true })
  includes?: LensFileInclude[] | null;

  @text(changelog)
  changelog = '';

  @dateTime()
  createdAt!: string;
}

export class LensFileLabel {
  @text({ min: 1, max: 64 })
  label!: string;

  @text({ min: 5, max: 100 })
  semver!: string;
}

export class LensFile {
  @oneOf(['lensforge.lens'])
  format!: 'lensforge.lens';

  @integer({ min: 1, max: 1 })
  formatVersion!: 1;

  @text(title)
  title!: string;

  @text(description)
  description = '';

  @oneOf(visibilities)
  visibility: Visibility = 'private';

  @oneOf(statuses)
  status: Status = 'draft';

  @list(tagKind, tags)
  tags: string[] = [];

  @list(nestedKind(() => LensFileVersion), { min: 1, max: 1000, description: 'The oldest first.' })
  versions!: LensFileVersion[];

  @list(nestedKind(() => LensFileLabel), { max: 100 })
  labels: LensFileLabel[] = [];

  @text({ min: 1, max: 64, optional: true, nullable: true, description: 'The label for callers that name no version.' })
  defaultLabel?: string | null;
}

/** The maximum size of an export, so that each can be imported. */
export const maxLensFile = { bytes: 10_485_760, members: 100_000 } as const;
