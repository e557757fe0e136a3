import type { Client, shapes } from '@lensforge/sdk';
import type { Command } from '../command.js';
import type { Input } from '../input.js';
import { UsageFault } from '../faults.js';
import { numberIn } from '../session.js';

/** The command that moves the labels of lenses, or those of workflows. */
const labelCommand = (kind: 'lens' | 'workflow'): Command => ({
  name: `${kind} label`,
  summary: 'Point a label at a version, return it to the one before, or remove it',
  args: ['id', 'label', '[version]'],
  options: {
    return: { summary: 'point the label at the version that it had before' },
    reason: { value: 'text', summary: 'why it moves, for its history' },
    arm: {
      value: 'version=percent',
      repeated: true,
      summary: 'a version that this part of the callers get instead; can be repeated',
    },
    'max-failures': { value: 'percent', summary: 'return by itself when more runs fail' },
    'worse-by': {
      value: 'percent',
      summary: 'return by itself when it fails more often than the version before, by that',
    },
    'max-ms': { value: 'milliseconds', summary: 'return by itself when more than 5 % of the runs take longer' },
    'max-run-credits': { value: 'credits', summary: 'return by itself when more than 5 % of the runs cost more' },
    'min-score': {
      value: 'name=score',
      summary: 'return by itself when the mean of the scores with this name is lower',
    },
    'no-bounds': { summary: 'never return by itself' },
    experiment: { value: 'id', summary: 'the experiment whose gate the version has passed' },
    override: { summary: 'move it against its rules; for people who are signed in' },
    rm: { summary: 'remove the label' },
  },
  async run(session, input) {
    const [id, name, version] = [input.arg('id'), input.arg('label'), input.optionalArg('version')];
    const { client, call } = session;
    const [removes, returns] = [input.flag('rm'), input.flag('return')];
    if ([version !== undefined, removes, returns].filter(Boolean).length !== 1) {
      throw new UsageFault(
        `${kind} label needs a version, --return or --rm`,
        `Write: lensforge ${kind} label <id> <label> <version>`,
      );
    }
    const labels = labelsOf(client, kind);
    if (removes) {
      const removed = await labels.removeLabel(id, name, call);
      session.show(removed, () => `Removed ${name}`);
      return;
    }
    const reason = input.text('reason');
    const experimentId = input.text('experiment');
    const why = reason === undefined ? {} : { reason };
    const evidence = {
      ...(experimentId !== undefined && { experimentId }),
      ...(input.flag('override') && { override: true }),
    };
    const place =
      version === undefined
        ? await labels.returnLabel(id, name, why, call)
        : await labels.setLabel(
            id,
            name,
            { version, ...readArms(input), ...readBounds(input), ...why, ...evidence },
            call,
          );
    session.show(
      place,
      () =>
        `${place.label} points at ${'semver' in place ? place.semver : place.number}${armsText(place)}${waitsText(place)}`,
    );
  },
});

/** The arms of --arm, each with its percentage. */
function readArms(input: Input): Pick<shapes.LensLabelRequest, 'arms'> {
  const given = input.list('arm');
  if (given.length === 0) return {};
  return {
    arms: given.map((text) => {
      const [version = '', percent = ''] = text.split('=');
      if (version === '' || percent === '') {
        throw new UsageFault(`--arm ${text} is no version with a percentage`, 'Write: --arm 1.1.0=10');
      }
      const weight = readPercent(`--arm ${version}=`, percent);
      return { version, weight };
    }),
  };
}

/** The bounds of the options, with percentages as shares. */
function readBounds(input: Input): Pick<shapes.LensLabelRequest, 'bounds'> {
  if (input.flag('no-bounds')) return { bounds: null };
  const [max, worseBy] = ['max-failures', 'worse-by'].map((name) => percentIn(input, name));
  const [latencyMs, credits] = ['max-ms', 'max-run-credits'].map((name) => numberIn(input, name));
  const failures = { ...(max !== undefined && { max }), ...(worseBy !== undefined && { worseBy }) };
  const bounds = {
    ...(Object.keys(failures).length > 0 && { failures }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...(credits !== undefined && { credits }),
    ...scoreIn(input),
  };
  return Object.keys(bounds).length > 0 ? { bounds } : {};
}

/** The bound of --min-score. */
function scoreIn(input: Input): Pick<shapes.LabelBounds, 'score'> {
  const text = input.text('min-score');
  if (text === undefined) return {};
  const [name = '', min = ''] = text.split('=');
  if (name === '' || min === '' || !(Number(min) >= 0 && Number(min) <= 1)) {
    throw new UsageFault('--min-score needs a name and a score from 0 to 1', 'Write: --min-score polite=0.8');
  }
  return { score: { name, min: Number(min) } };
}

const percentIn = (input: Input, name: string): number | undefined => {
  const text = input.text(name);
  return text === undefined ? undefined : readPercent(`--${name}`, text) / 100;
};

function readPercent(option: string, text: string): number {
  const percent = /^\d{1,3}(\.\d{1,6})?%?$/.test(text) ? Number(text.replace('%', '')) : NaN;
  if (!(percent <= 100))
    throw new UsageFault(
      `${option.replace(/=$/, '')} needs a percentage`,
      `Write: ${option}${option.endsWith('=') ? '' : ' '}5`,
    );
  return percent;
}

const armsText = ({ arms }: Pick<shapes.LensLabelPlace, 'arms'>): string =>
  (arms ?? []).map(({ version, weight }) => `, ${weight} % get ${version}`).join('');

const waitsText = ({ proposalId }: Pick<shapes.LensLabelPlace, 'proposalId'>): string =>
  proposalId ? `; the move waits for another person to approve it (proposal ${proposalId})` : '';

const labelsOf = (client: Client, kind: 'lens' | 'workflow') => (kind === 'lens' ? client.lenses : client.workflows);

export const lensLabel = labelCommand('lens');
export const workflowLabel = labelCommand('workflow');
