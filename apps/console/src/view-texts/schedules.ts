/** The texts of the view of all schedules. */
export const schedulesTexts = {
  title: 'Schedules',
  none: 'No schedules yet',
  noneHint: 'The page of a workflow has a form for its schedules.',
  columns: { name: 'Schedule', next: 'Next', last: 'Last tick', actions: 'Actions' },
  history: 'Past ticks',
  historyFor: (title: string): string => `Past ticks of ${title}`,
  noTicks: 'It has not ticked yet',
} as const;
