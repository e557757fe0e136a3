import { type Platform, RateLimits } from '@lensforge/edge';
import type { Provider, Type } from '@nestjs/common';
import type { OAuthEnvironment } from '../environment.js';
import { Mailer } from '../mail/mailer.js';
import { AccountController } from './account.controller.js';
import { AuthorizeController } from './authorize.controller.js';
import { DeviceController } from './device.controller.js';
import { HandleController } from './handle.controller.js';
import { MovedPagesController } from './moved-pages.controller.js';
import { PasswordController } from './password.controller.js';
import { SecurityController } from './security.controller.js';
import { SignInController } from './sign-in.controller.js';
import { SignUpController } from './sign-up.controller.js';
import { PageRequests } from './page-requests.js';

export const pageControllers: Type[] = [
  AccountController,
  AuthorizeController,
  DeviceController,
  HandleController,
  MovedPagesController,
  PasswordController,
  SecurityController,
  SignInController,
  SignUpController,
];

/** The providers of the page controllers. */
export function pageProviders(platform: Platform<OAuthEnvironment>): Provider[] {
  const { environment, logger, metrics, drain } = platform;
  const mailer = new Mailer({
    smtpUrl: environment.LENSFORGE_SMTP_URL,
    from: environment.LENSFORGE_MAIL_FROM,
    production: environment.production,
    logger,
    metrics,
    drain,
  });
  return [
    {
      provide: PageRequests,
      inject: [RateLimits],
      useFactory: (limits: RateLimits) => new PageRequests(platform, limits, mailer),
    },
  ];
}
