/** Wire shapes of alerts. */
import { z } from 'zod';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { moment, uuid } from '../../../platform/http/wire.ts';
import { ALERT_KINDS } from './alert-measures.ts';

/** 30 days. */
const MAX_WINDOW_MINUTES = 30 * 24 * 60;
const MAX_THRESHOLD = 1_000_000_000;

const fields = {
  name: z.string().min(1).max(255),
  threshold: z.number().positive().max(MAX_THRESHOLD),
  window_minutes: z.int().min(1).max(MAX_WINDOW_MINUTES),
};

export const newAlert = z
  .object({
    name: fields.name,
    kind: z.enum(ALERT_KINDS),
    workflow_id: uuid.nullish(),
    threshold: fields.threshold.nullish(),
    window_minutes: fields.window_minutes.nullish(),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'CreateAlert' });
export type NewAlert = z.output<typeof newAlert>;

export const alertChange = z
  .object({
    name: fields.name.optional(),
    threshold: fields.threshold.optional(),
    window_minutes: fields.window_minutes.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'AlertChange' });
export type AlertChange = z.output<typeof alertChange>;

export const alert = z
  .looseObject({
    id: uuid,
    organization_id: uuid,
    workflow_id: uuid.nullable(),
    name: z.string(),
    kind: z.enum(ALERT_KINDS),
    threshold: z.number().nullable(),
    window_minutes: z.int().nullable(),
    enabled: z.boolean(),
    firing_since: moment.nullable(),
    value: z.number().nullable(),
    checked_at: moment.nullable(),
    created_by: uuid.nullable(),
    created_at: moment,
    updated_at: moment,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Alert' });
export const alertList = z.looseObject({ alerts: z.array(alert) }).meta({ id: 'AlertList' });
