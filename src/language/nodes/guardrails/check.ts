/** The schema of one check of guardrails. */
import { z } from 'zod';
import { PII_ENTITIES } from './detect.ts';
import { findPatternProblem } from '../pattern.ts';
import { discriminator, addProblem, jsonSchema } from '../read-config.ts';
import { ABOUT_ACTION, modelChecks, unmaskedAction, type ModelCheck } from './model-checks.ts';

const anyAction = z.enum(['block', 'mask', 'flag']).default('block').meta({ description: ABOUT_ACTION });

/** Parses one entry of `checks`. */
export const guardrailCheck = z
  .discriminatedUnion('type', [
    z.object({
      type: discriminator('pii'),
      entities: z
        .array(z.enum(PII_ENTITIES))
        .min(1)
        .default([...PII_ENTITIES])
        .meta({ description: 'Kinds of personal data to find' }),
      action: anyAction,
    }),
    z.object({
      type: discriminator('secret_keys'),
      action: anyAction,
    }),
    z.object({
      type: discriminator('keywords'),
      keywords: z
        .array(z.string().min(1).max(256))
        .min(1)
        .max(1_000)
        .meta({ description: 'Words and phrases to find' }),
      case_sensitive: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether upper and lower case are distinguished' }),
      action: anyAction,
    }),
    z.object({
      type: discriminator('regex'),
      pattern: z.string().min(1).meta({ description: 'Regular expression in RE2 syntax' }),
      expect: z
        .enum(['match', 'no_match'])
        .default('no_match')
        .meta({ description: 'Whether the text must match or must not match' }),
      action: anyAction,
    }),
    z.object({
      type: discriminator('urls'),
      allowed_hosts: z
        .array(z.string().toLowerCase())
        .default([])
        .meta({ description: 'Allowed hosts of URLs; empty: none' }),
      allowed_schemes: z
        .array(z.string().toLowerCase())
        .default(['https', 'http'])
        .meta({ description: 'Allowed schemes of URLs' }),
      allow_subdomains: z
        .boolean()
        .default(true)
        .meta({ description: 'Whether subdomains of allowed hosts are allowed' }),
      action: anyAction,
    }),
    z.object({
      type: discriminator('json_schema'),
      schema: jsonSchema,
      action: unmaskedAction,
    }),
    z.object({
      type: discriminator('max_length'),
      max: z.int().min(0).meta({ description: 'Maximum number of characters' }),
      action: unmaskedAction,
    }),
    ...modelChecks,
  ])
  .superRefine((given, ctx) => {
    if (given.type !== 'regex') return;
    const problem = findPatternProblem(given.pattern);
    if (problem !== null) addProblem(ctx, { code: 'invalid_pattern', message: problem, path: ['pattern'] });
    if (given.expect === 'match' && given.action === 'mask') {
      addProblem(ctx, {
        code: 'invalid_config',
        message: 'must not be "mask": only matches can be masked',
        path: ['action'],
      });
    }
  });
/** A check without a model. */
export type LocalCheck = Exclude<z.output<typeof guardrailCheck>, ModelCheck>;
