import { context, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { chain, http, node, transform } from '../support/definitions.ts';
import { answer } from '../support/journeys.ts';
import { startRecorder, type Recorder } from '../support/http-recorder.ts';
import { recordSpans, type SpanRecorder } from '../support/spans.ts';
