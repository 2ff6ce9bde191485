/** Wire shapes of alerts. */
import { z } from 'zod';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { moment, uuid } from '../../../platform/http/wire.ts';
import { ALERT_KINDS } from './alert-measures.ts';
import {
  createdAt,
  createdBy,
  owningOrganizationId,
  uniqueId,
  updatedAt,
} from '../../../platform/http/fields.ts';
import { windowMinutes } from '../fields.ts';

const ABOUT_KIND =
  '`failures_in_row`; `failure_rate` of at least 5 runs in the window; `silence`: no run; `duration`; `cost` in credits';
const ABOUT_WORKFLOW_ID = 'The workflow whose runs count; null: all workflows of the organization';
const ABOUT_THRESHOLD =
  'Value from which the alert fires: runs, percent, seconds or credits; `silence` has none';
const ABOUT_WINDOW_MINUTES =
  'Length of the window in minutes; for `silence` the limit; `failures_in_row` has none';

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
    name: fields.name.meta({ description: 'Name of the alert, for people' }),
    kind: z.enum(ALERT_KINDS).meta({ description: ABOUT_KIND }),
    workflow_id: uuid.nullish().meta({ description: ABOUT_WORKFLOW_ID }),
    threshold: fields.threshold.nullish().meta({ description: ABOUT_THRESHOLD }),
    window_minutes: fields.window_minutes.nullish().meta({ description: ABOUT_WINDOW_MINUTES }),
    enabled: z.boolean().default(true).meta({ description: 'Whether the alert is checked' }),
  })
  .meta({ id: 'CreateAlert' });
export type NewAlert = z.output<typeof newAlert>;

export const alertChange = z
  .object({
    name: fields.name.optional().meta({ description: 'Name of the alert, for people' }),
    threshold: fields.threshold.optional().meta({ description: ABOUT_THRESHOLD }),
    window_minutes: fields.window_minutes.optional().meta({ description: ABOUT_WINDOW_MINUTES }),
    enabled: z.boolean().optional().meta({ description: 'Whether the alert is checked' }),
  })
  .meta({ id: 'AlertChange' });
export type AlertChange = z.output<typeof alertChange>;

export const alert = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    workflow_id: uuid.nullable().meta({ description: ABOUT_WORKFLOW_ID }),
    name: z.string().meta({ description: 'Name of the alert, for people' }),
    kind: z.enum(ALERT_KINDS).meta({ description: ABOUT_KIND }),
    threshold: z.number().nullable().meta({ description: ABOUT_THRESHOLD }),
    window_minutes: windowMinutes,
    enabled: z.boolean().meta({ description: 'Whether the alert is checked' }),
    firing_since: moment.nullable().meta({ description: 'Since when the alert is firing; null: it is not' }),
    value: z
      .number()
      .nullable()
      .meta({ description: 'Last measured value, in minutes for `silence`; null: nothing to measure' }),
    checked_at: moment.nullable().meta({ description: 'When the alert was last checked; null: not yet' }),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Alert' });
export const alertList = z
  .looseObject({
    alerts: z.array(alert).meta({ description: 'The alerts of the organization, newest first' }),
  })
  .meta({ id: 'AlertList' });
