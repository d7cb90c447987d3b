// Reads results from elsewhere: checks every field and every size, and says where a result is invalid.
import * as v from 'valibot';
import { AppError } from '../protocol/errors.ts';
import { isRecord, MAX_SAMPLES, RESULT, RESULT_SCHEMA } from './result.ts';
import type { BenchResult } from './result.ts';

/** Maximum characters of the whole text. */
const MAX_JSON = 256 << 20;

/** @throws AppError `invalid` with a sentence that names the place */
export function parseResult(json: string): BenchResult {
  if (json.length > MAX_JSON) throw refusal('it is larger than 256 MB');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw refusal('it is not JSON');
  }
  return readResult(value);
}

/** @throws AppError `invalid` with a sentence that names the place */
export function readResult(value: unknown): BenchResult {
  if (!isRecord(value)) throw refusal('it is not an object');
  if (value['schema'] !== RESULT_SCHEMA) {
    const schema = typeof value['schema'] === 'number' ? `schema ${value['schema']}` : 'no schema number';
    throw refusal(`it has ${schema}, and this version of Sidelite reads schema ${RESULT_SCHEMA}`);
  }
  const { issues } = v.safeParse(RESULT, value, { abortEarly: true });
  if (issues) throw refusal(`“${placeOf(issues[0]).slice(0, 120)}” should be ${issues[0].message}`);
  // Returns the input instead of the parsed copy: later versions may have fields that this one does not know.
  const result = value as unknown as BenchResult;
  let samples = 0;
  for (const cell of result.cells) samples += cell.samples.length + cell.delivered.length + cell.windowBusyMs.length;
  if (samples > MAX_SAMPLES) throw refusal(`it has ${samples} samples, more than ${MAX_SAMPLES}`);
  return result;
}

function refusal(what: string): AppError {
  return AppError.invalid(`This benchmark result cannot be read: ${what}. Nothing was imported.`);
}

/** `cells[0].samples[1]` */
function placeOf({ path }: v.BaseIssue<unknown>): string {
  const keys = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return keys.join('').replace(/^\./, '') || 'the whole';
}
