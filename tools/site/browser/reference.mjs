/* global Scalar, location */

// The viewer asks nothing of other hosts with these settings; requests go to the gateway that serves the page.
Scalar.createApiReference('#reference', {
  url: new URL('../docs/openapi.json', location.href).pathname,
  baseServerURL: location.origin,
  servers: [{ url: location.origin }],
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'bearer' },
});
