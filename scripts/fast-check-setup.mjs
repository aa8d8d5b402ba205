// Property tests try the same cases in every run, so that a red CI means a change and not a throw of dice.
// FAST_CHECK_SEED=<integer> tries others: run the suites with a few when a storage or queue changes.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_130) });
