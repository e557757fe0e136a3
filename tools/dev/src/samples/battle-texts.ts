/** A task with answers to it, the best one first. */
export interface TaskText {
  title: string;
  task: string;
  answers: readonly [string, string, string];
}

export const tasks: readonly TaskText[] = [
  {
    title: 'A retry, for a newcomer',
    task: 'Explain to a newcomer why a program tries a failed request again, in at most three sentences.',
    answers: [
      'Networks drop requests for reasons that pass within a second. A program that asks again after a short wait gets its answer without anyone noticing. It must only ask again when asking twice does no harm.',
      'A retry repeats a failed request. It is useful because many failures are transient.',
      'Retries are a resilience pattern that improves the availability of distributed systems under partial failure.',
    ],
  },
  {
    title: 'Haiku about the sea',
    task: 'Write a haiku about the sea.',
    answers: [
      'Low tide leaves its map:\nripples, one crab, a child’s boot.\nThe moon takes it back.',
      'Waves upon the shore,\nendless blue beneath the sky,\nthe sea sings to me.',
      'The sea is so big.\nThere is water everywhere.\nI like the ocean.',
    ],
  },
  {
    title: 'Subject of an e-mail',
    task: 'Write the subject of an e-mail that tells customers about 20 minutes of maintenance on Sunday.',
    answers: [
      'Sunday 06:00–06:20 UTC: the API will be away for 20 minutes',
      'Planned maintenance this Sunday',
      'Important: exciting improvements are on their way!',
    ],
  },
  {
    title: 'A commit message',
    task: 'Write a commit message for a change that makes the search ignore accents.',
    answers: [
      'Ignore accents in the search\n\nA search for "cafe" now finds "café": both sides are folded before they are compared.',
      'fix search\n\nAccents are ignored now.',
      'Refactor and improve the search functionality for better user experience',
    ],
  },
  {
    title: 'What an index is',
    task: 'What is an index of a database? Answer in two sentences, without the word "data".',
    answers: [
      'An index is a sorted copy of one or more columns, with a pointer to each row. It finds a row in a few steps, and each write pays for that by keeping the copy sorted.',
      'It is like the index at the end of a book. You look up a word and find the page.',
      'An index is a structure that improves the speed of retrieval operations on a table at the cost of additional writes and storage space.',
    ],
  },
  {
    title: 'Say no to a feature',
    task: 'A customer asks for a dark theme for printed invoices. Decline in two friendly sentences.',
    answers: [
      'Thank you for the idea. We will not build it: dark pages use a lot of ink and are hard to read in print, but you can choose the colour of the logo and of the lines.',
      'Thanks for your feedback! We will consider this for a future release.',
      'Unfortunately this is not possible. Printed invoices are white.',
    ],
  },
  {
    title: 'Name a bug',
    task: 'Give this bug a title: sometimes the second click on "Save" creates another copy of the document.',
    answers: [
      'A second click on "Save" before the first answer creates a copy of the document',
      'Duplicate documents on save',
      'Save button broken!!!',
    ],
  },
  {
    title: 'Explain a deadlock',
    task: 'Explain a deadlock with an example from a kitchen.',
    answers: [
      'Ann holds the only knife and waits for the board; Ben holds the board and waits for the knife. Neither puts anything down, so no salad is ever cut. If both had to take the knife first, one of them would wait and then eat.',
      'Two cooks wait for each other, so nothing gets cooked.',
      'A deadlock is when the oven is too full, and the food is late.',
    ],
  },
  {
    title: 'Alt text',
    task: 'Write the alternative text of a chart that shows how the number of runs doubled in March.',
    answers: [
      'Line chart: runs a day stay near 400 in January and February, and rise to 800 by the end of March.',
      'Chart of runs over time',
      'image_2024_final(3).png',
    ],
  },
  {
    title: 'First line of an apology',
    task: 'Write the first sentence of an apology to customers after an outage of two hours.',
    answers: [
      'Yesterday from 14:05 to 16:02 UTC no run could start; that was our fault, and nothing was lost.',
      'We apologise for any inconvenience that yesterday’s incident may have caused.',
      'As you may have noticed, some users experienced degraded performance.',
    ],
  },
];
