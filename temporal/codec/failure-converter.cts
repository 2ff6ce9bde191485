/**
 * Puts messages and stack traces of failures into a payload, so that the codec encrypts them. The SDK loads this file
 * by path with `require` in the host and bundles it for the sandbox: it is plain CommonJS on purpose.
 */
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
