/** Metadata of runs: names and values that a start carries, to find the run by them. */
import { z } from 'zod';

export const MAX_METADATA_KEYS = 20;
export const MAX_METADATA_KEY_LENGTH = 40;
export const MAX_METADATA_VALUE_LENGTH = 500;

/** Without a colon, which separates key and value in the filter of the history. */
const KEY = new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_METADATA_KEY_LENGTH}}$`);
/** One pair as the history's filter has it. */
const PAIR = new RegExp(
  `^([A-Za-z0-9_.-]{1,${MAX_METADATA_KEY_LENGTH}}):([\\s\\S]{0,${MAX_METADATA_VALUE_LENGTH}})$`,
);

export const runMetadata = z
  .record(
    z
      .string()
      .regex(KEY, `Keys have 1 to ${MAX_METADATA_KEY_LENGTH} letters, digits, or the characters _ . -`),
    z.string().max(MAX_METADATA_VALUE_LENGTH),
  )
  .refine(
    (pairs) => Object.keys(pairs).length <= MAX_METADATA_KEYS,
    `A run has at most ${MAX_METADATA_KEYS} keys of metadata`,
  );
type RunMetadata = Readonly<Record<string, string>>;

/** Selects the pairs that a run can have from the metadata of another protocol. */
export const selectRunMetadata = (pairs: RunMetadata): RunMetadata =>
  Object.fromEntries(
    Object.entries(pairs)
      .filter(([key, value]) => KEY.test(key) && value.length <= MAX_METADATA_VALUE_LENGTH)
      .slice(0, MAX_METADATA_KEYS),
  );

/** A pair `customer:acme`. */
export const metadataFilter = z
  .string()
  .regex(PAIR, 'must be key:value')
  .transform((text): RunMetadata => {
    const [, key = '', value = ''] = PAIR.exec(text) ?? [];
    return { [key]: value };
  });
