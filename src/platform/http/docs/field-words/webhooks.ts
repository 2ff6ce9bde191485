/** Words for webhooks and their deliveries; see recurring.ts for how keys are read. */

const HOOKS = ['Hook', 'CreateHook', 'HookChange'];

const each = (words: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    HOOKS.flatMap((schema) =>
      Object.entries(words).map(([name, word]): [string, string] => [`${schema}.${name}`, word]),
    ),
  );

export const WEBHOOK_WORDS: Readonly<Record<string, string>> = {
  ...each({
    name: 'Name of the webhook, for people',
    enabled: 'Whether the address starts runs; a disabled one answers 404',
    methods:
      'Methods whose requests start runs; others are 405. HEAD starts none. Link previews send GET, so it is for senders that can do no other',
    filter: 'Rules over `method`, `headers`, `query` and `body`; null: every request starts a run',
    mapping:
      'Templates that make the input of the run; null: the body, or the query of a request without one',
    response:
      'How the sender is answered: by default 202 once the run is accepted, the result of the run, or what `respond` of a node says',
  }),
  hooks: 'The webhooks of the workflow, newest first',
  hook_id: 'Id of the webhook',
  url: 'Address of the webhook; whoever has it can call it',
  previous_url_until: 'Until when the address before the last rotation works; null: it does not',
  verification: 'How requests prove their sender',
  secrets:
    'Secrets of the sender, of which any may have signed; `user:password` for `basic`, base64 of 24 to 64 bytes for `standard`. They are never shown',
  secret_count: 'Number of secrets that are stored',
  deduplicate_by:
    'How requests of 24 hours are recognized as one event: by the id of the sender, where a request without one starts a run; by method, query and body; or not at all. Of a sender that signs, only what is signed counts: the body by content, and the body for both ways of `github`',
  id_header:
    'Header with the id of an event, for `sender_id`; null: `Idempotency-Key` for `none`, `bearer` and `basic`, `webhook-id` for `standard`, the body for `github`, its `id` for `stripe` and its `event_id` for `slack`, or time and body without one. A header that is named here is not signed',
  rejected_count:
    'Number of requests that were not verified, had another method, were too large, or could not be read; bursts count once a second',
  last_rejected_at: 'When a request was last rejected; null: never',
  last_rejected_reason:
    'Why: `signature_missing`, `signature_wrong`, `signature_too_old`, `secret_invalid` for a stored secret that is no key, `method_not_allowed`, `body_too_large`, or the `error.code` of the delivery that was `rejected`',
  last_delivery_at: 'When a verified request last came; null: never',
  recent_deliveries:
    'Outcomes of its last 100 deliveries within 7 days. When all are `filtered`, the filter may be wrong',
  'HookRecentDeliveries.started': 'Number that started a run',
  'HookRecentDeliveries.filtered': 'Number that the filter left out',
  'HookRecentDeliveries.failed':
    'Number that could start no run, because of the mapping, the workflow or the plan',
  'HookRecentDeliveries.captured': 'Number of test events',
  'HookRecentDeliveries.rejected': 'Number that could not be read',
  listening_until: 'Until when somebody listens for a test event; null: nobody does',
  'HookListening.seconds': 'How long to listen, in seconds',
  keep_previous_seconds: 'How long the previous address keeps working, in seconds',
  'HookResult.mode':
    '`accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s; `respond`: what a node says, at the latest after 30 s',
  'HookResult.status': 'Status of the answer with a result; 200 by default',
  'HookResult.headers': 'Headers of the answer: names that begin with `X-`, and `Retry-After`',
  'HookResult.body': 'Template of the answer over `output` and `run_id`; the output by default',
  deliveries: 'The requests, newest first',
  delivery_id: 'Id of the delivery in the log of the webhook',
  received_at: 'When the request came',
  outcome:
    '`started` a run, was `filtered`, `failed`, was `captured` as a test event without a run, or was verified and `rejected`, because it could not be read',
  redelivery_of: 'The delivery that this one repeats by hand; null: it came from the sender',
  request:
    'The request without the headers that carry secrets; empty once its run, or the values of its run, were deleted',
  'HookRequest.method': 'Method of the request',
  'HookRequest.headers': 'Headers of the request, their names in lower case',
  'HookRequest.query': 'Query of the request; a name that is given several times has a list',
  'HookRequest.body':
    'JSON value, fields of a form, text, or `{base64, media_type, size}` of bytes that are no text; the event in `payload` of a form of GitHub or Slack; the bytes as text when the request was rejected',
  'HookDelivery.error': 'Why no run was started; null when one was',
  'HookDelivery.input':
    'Input that the mapping of today makes of the request; null when it cannot, and when the request was deleted',
  'HookDelivery.response': 'What a node responded to the sender; null: nothing',
  'HookSentResponse.status': 'Status of the response',
  content_type: 'Content-Type of the response',
  'HookSentResponse.headers': 'Headers of the response',
  'HookSentResponse.body': 'Body of the response',
  'HookError.message': 'Why, for people',
  'HookReceived.status':
    'The run was accepted, is that of an earlier duplicate, the filter left the request out, or it is a test event without a run',
  'HookReceived.run_id': 'The run; null when none was started',
};
