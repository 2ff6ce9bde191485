/** The sentences about trying a node, pins and mocks: they come with the editor and the page of versions. */
export const pinWords = {
  title: 'Test this node',
  try: 'Test',
  input: 'Input (JSON). Leave empty to use the run’s input.',
  state: 'Values for its templates (JSON). They override the run’s values.',
  pastRun: 'Values from run',
  noPastRun: 'None: only the values below',
  notObject: 'Enter a JSON object.',
  hasEffect: 'This node has side effects. Testing it repeats them.',
  confirm: 'Test anyway',
  outcome: 'Test result',
  pinned: 'Pinned: test runs use the pinned output instead of running this node.',
  unpin: 'Unpin',
  pinPast: 'Pin output of this run',
  pinThis: 'Pin output',
  mocked: 'Mocked: this node returns a fixed output, also when it is deployed.',
  unmock: 'Remove the mock',
  gone: (nodeId: string) =>
    `The output that ${nodeId} is pinned to is no longer stored. Unpin the node, or pin another output.`,
  mocks: 'Mocked nodes',
  mocksGoLive: 'These nodes return a fixed output instead of running, and would do so live:',
};
