import { resolveTemplate } from '@lensforge/lenses';
import { finding } from './measured.js';
import type { Measure } from './part.js';

const calls = 20_000;
const length = 4000;

const rules = 'Answer kindly, in short sentences, and never promise a date. ';
const fill = (text: string): string => rules.repeat(length / rules.length).slice(0, length - text.length) + text;

const sections = fill(`
[[#Items]]
- [[title]]: [[price]] EUR
[[/Items]]
[[#Tone]]Be [[Tone]].[[/Tone]][[^Tone]]Be neutral.[[/Tone]]
[[Question]]`);
const values = fill('[[Tone]] [[Question]]');
const given = {
  Items: Array.from({ length: 10 }, (_, n) => ({ title: `Pen ${n}`, price: n })),
  Tone: 'kind',
  Question: 'When does my order arrive?',
};

/** The processor time of parsing and filling in a template of 4 kB, with sections and (baseline) with values alone. */
export const measureRender: Measure = async (_, { rounds }) => {
  const [ours, baseline] = [sections, values].map((template) => {
    for (let call = 0; call < calls; call += 1) resolveTemplate(template, given);
    return Array.from({ length: rounds }, () => {
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call += 1) resolveTemplate(template, given);
      const { user, system } = process.cpuUsage(before);
      return finding((user + system) / calls);
    });
  });
  return Promise.resolve([
    {
      group: 'Filling in a template of 4 kB (baseline: without sections)',
      name: 'a list of ten items, two conditions',
      unit: 'µs',
      target: { of: 'ours', most: 20 },
      ours: ours ?? [],
      baseline: baseline ?? [],
    },
  ]);
};
