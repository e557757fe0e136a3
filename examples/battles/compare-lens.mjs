#!/usr/bin/env node
// Compares a new text of a lens with the published one: a battle for each task, judged blind.
//
//   LENSFORGE_API_URL=https://… LENSFORGE_API_KEY=… node compare-lens.mjs --lens <id> --candidate lens.txt --tasks tasks.json
//
// --judge <model>      the model that judges; without it the offline judge, which only measures features of the texts
// --budget <credits>   the most credits that each battle may cost
//
// Exit code 0: the new text is not clearly worse. 1: it is clearly worse. 2: the comparison could not be made.
// Both texts need the parameter [[task_prompt]] and no other required one. At least five tasks are needed: fewer losses can be chance.

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const { LENSFORGE_API_URL: url = 'http://127.0.0.1:4000', LENSFORGE_API_KEY: token } = process.env;
const { values: options } = parseArgs({
  options: {
    lens: { type: 'string' },
    candidate: { type: 'string' },
    tasks: { type: 'string' },
    judge: { type: 'string' },
    budget: { type: 'string' },
  },
});

/** A loss is clear when a coin would give so few wins less often than this. */
const significance = 0.05;
const battlesAtOnce = 4;
const pollMs = 500;
const patienceMs = 900_000;

async function call(method, path, body) {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, error } = await response.json();
  if (response.ok) return data;
  throw new Error(`${method} ${path}: ${response.status} ${error.code}: ${error.message}`);
}

/** The AI lenser under which both lenses enter. */
async function anAiLenser() {
  const { account } = await call('GET', '/me');
  const [known] = await call('GET', `/agents?owner=${account.id}&limit=1`);
  return known ?? call('POST', '/agents', { handle: `comparison-${Date.now()}`, displayName: 'Comparison of lenses' });
}

/** The result of one battle: 1 if the candidate won, 0 for a tie, -1 if it lost. */
async function compare(task, { published, candidate, aiLenser }) {
  const { id } = await call('POST', '/battles', {
    title: `Comparison: ${task}`.slice(0, 200),
    taskPrompt: task,
    battleType: 'lenser_battle',
    judgingMode: 'ai_judge',
    ...(options.judge && { aiJudgeModelKey: options.judge }),
    ...(options.budget && { budgetCredits: Number(options.budget) }),
  });
  const enter = (displayName, lensId) =>
    call('POST', `/battles/${id}/contenders`, {
      displayName,
      contenderType: 'ai_model',
      contenderRefId: aiLenser,
      lensId,
    });
  await enter('published', published);
  const entry = await enter('candidate', candidate);
  await call('POST', `/battles/${id}/status`, { status: 'open' });
  await call('POST', `/battles/${id}/execute`, {});
  await judged(id);
  await call('POST', `/battles/${id}/status`, { status: 'closed', confirm: true });
  const { winner, aiJudgeVerdicts } = await call('GET', `/battles/${id}/score`);
  const verdict = aiJudgeVerdicts.find(({ contenderId }) => contenderId === entry.id);
  const result = winner === entry.id ? 1 : winner === null || verdict.score === 0.5 ? 0 : -1;
  console.log(
    `${['lost', 'tied', 'won '][result + 1]}  ${verdict.score.toFixed(2)}  battle ${id}  ${task.slice(0, 60)}`,
  );
  return result;
}

async function judged(id) {
  for (const end = Date.now() + patienceMs; Date.now() < end;) {
    const { judging, contenders } = await call('GET', `/battles/${id}`);
    if (judging?.status === 'succeeded') return;
    const failed = contenders.find(({ answerError }) => answerError);
    if (failed) throw new Error(`battle ${id}: no answer of ${failed.displayName}: ${failed.answerError}`);
    if (judging && !['queued', 'running'].includes(judging.status)) {
      throw new Error(`battle ${id}: the judging ended as ${judging.status}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`battle ${id} was not judged within ${patienceMs / 1000} s`);
}

/** The probability of at most so many wins if both texts were equally good. Ties say nothing about it. */
function computeChance(wins, losses) {
  const games = wins + losses;
  let [ways, chance] = [1, 0];
  for (let count = 0; count <= wins; count += 1) {
    chance += ways / 2 ** games;
    ways = (ways * (games - count)) / (count + 1);
  }
  return chance;
}

async function main() {
  for (const name of ['lens', 'candidate', 'tasks']) if (!options[name]) throw new Error(`--${name} is missing`);
  const tasks = JSON.parse(await readFile(options.tasks, 'utf8'));
  if (computeChance(0, tasks.length) >= significance) {
    throw new Error(`--tasks has ${tasks.length} tasks: even if all were lost, that could be chance. Give at least 5`);
  }
  const templateBody = await readFile(options.candidate, 'utf8');
  const { id: aiLenser } = await anAiLenser();
  const lens = { title: 'Candidate of a comparison', visibility: 'private', templateBody };
  const { id: candidate } = await call('POST', '/lenses', lens);
  const results = [];
  try {
    const waiting = [...tasks];
    const work = async () => {
      while (waiting.length > 0) {
        const result = compare(waiting.shift(), { published: options.lens, candidate, aiLenser });
        results.push(await result.catch(stopping));
      }
    };
    // After a failure no further battle begins.
    const stopping = (error) => {
      waiting.length = 0;
      throw error;
    };
    const ended = await Promise.allSettled(Array.from({ length: battlesAtOnce }, work));
    for (const { reason } of ended) if (reason) throw reason;
  } finally {
    await call('POST', `/lenses/${candidate}/archive`);
  }
  const count = (result) => results.filter((each) => each === result).length;
  const [wins, ties, losses] = [count(1), count(0), count(-1)];
  const chance = computeChance(wins, losses);
  const isWorse = losses > wins && chance < significance;
  console.log(`${wins} won, ${ties} tied, ${losses} lost; chance of so few wins between equals: ${chance.toFixed(3)}`);
  console.log(isWorse ? 'The new text is clearly worse.' : 'The new text is not clearly worse.');
  return isWorse ? 1 : 0;
}

process.exitCode = await main().catch((error) => {
  console.error(error.message);
  return 2;
});
