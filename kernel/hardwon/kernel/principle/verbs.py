"""English words that tell an order from an account by how it begins."""

from __future__ import annotations

import re


def words_in(text: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(re.findall(r"\S+", text))


VERBS = words_in(
    """abandon abort absorb accept access acknowledge acquire act adapt add address adjust admit adopt advance
    advertise agree aim alert alias align allocate allow allowlist alter amend amortise amortize analyse analyze
    anchor annotate announce answer anticipate append apply approve archive arm arrange ask assemble assert assess
    assign assist assume attach audit authenticate authorise authorize automate await back backfill backport balance
    ban base batch be become begin benchmark bind bisect blacklist blank blend block book boot bootstrap borrow
    bound branch break breed bring broadcast bucket budget buffer build bulk-load bump bundle bury buy bypass cache
    calculate calibrate call calm canary cancel canonicalise canonicalize cap capture carry cascade cast catch
    centralise centralize certify chain challenge change charge chart charter check checkpoint checksum choose chop
    chunk circulate circumvent cite claim clamp clarify classify clean clear clip clone close co-locate coach
    coalesce codify collect combine come commission commit compact compare compensate compile complete comply
    compose compress compute concatenate conceal concentrate condense condition conduct configure confine confirm
    connect conserve consider consolidate constrain construct consult consume contain containerise containerize
    continue contrast control converge convert convey convince coordinate copy cordon correct correlate count
    counter couple cover craft crawl create credit crop cross cull cultivate curate cut cycle dampen dead-letter
    debounce debug decide declare decline decode decommission decouple decrease decrypt dedicate dedupe deduplicate
    deepen default defend defer define defuse degrade delay delegate delete delimit deliver demand demote
    denormalise denormalize deny denylist depend deploy deprecate dequeue dereference derive describe deserialise
    deserialize design despatch destroy detach detect deter determine develop diagnose diff differentiate digest
    disable disallow discard disclose disconnect discourage discover discuss disentangle dismiss dispatch display
    dispose distinguish distribute distrust diversify divert divide do document dogfood double downgrade downsample
    downscale draft drain draw drill drip drive drop dry dump duplicate ease edit eject elect elevate elide
    eliminate embed emit employ empty emulate enable encapsulate encode encompass encourage encrypt end enforce
    engage enlist enqueue enrich ensure enter entrust enumerate equalise equip erase erect err escalate escape
    establish estimate evaluate evict evolve examine exchange exclude execute exempt exercise exert exhaust exit
    expand expect expire explain exploit explore export expose express extend externalise externalize extract
    facilitate fade fail fan fan-out favor favour feed fence fetch fill filter finalise finalize find finish fit fix
    flag flatten flip flush focus fold follow forbid force forecast foresee forget forgo fork formalise formalize
    format forward frame free freeze fsync fulfil funnel fuzz gate gather gauge generate get give globalise go grade
    grant group guarantee guard guess halt hand handle hard-code harden harvest hash have head heal hedge help hide
    hint hoist hold honor honour hook host hunt hydrate hyphenate identify idle ignore illuminate illustrate imitate
    immunise impersonate implement import impose improve include incorporate increase increment index indicate infer
    inform infuse inherit initialise initialize initiate inject inline inquire insert insist inspect install
    instrument insulate insure integrate intercept interleave intern interpret interrupt intersect intersperse
    introduce invalidate inventory invert invest investigate invite invoke isolate issue itemise iterate jitter join
    judge juggle justify keep key kick kill know label laminate land launch lay lazy-load lead leak lean leapfrog
    learn lease leave lend lengthen let level leverage lift lighten limit linearise link lint liquidate list listen
    load localise localize locate lock lockstep log look loop loosen lower lure magnify maintain make manage map
    mark marshal mask match materialise materialize measure memoise memoize mention merge meter migrate mind minify
    minimise minimize mint mirror mitigate mix mock model modify monitor mop mount move multiplex multiply mutate
    mute nail name namespace narrow navigate negotiate nest neutralise neutralize normalise normalize note notice
    notify nudge nullify number nurture obfuscate oblige obscure observe obtain offer offload omit onboard open
    operate opt optimise optimize orchestrate order organise organize originate outlaw outline outsource overlap
    overprovision override oversee overwrite own pace package pad page paginate pair parallelise parallelize
    parameterise parameterize paraphrase pare parse partition pass paste patch patrol pause pay peg penalise perform
    permit persist perturb phase pick pickle piggyback pilot pin ping pinpoint pipe pivot place plan play plug point
    polish poll pool populate port post postpone practice practise pre-allocate pre-compute pre-create pre-fetch
    pre-warm preallocate precede precompute predate predict prefer prefetch prefix preload prepare prepend
    preprocess prescribe present preserve press presume prevent prime print prioritise prioritize probe proceed
    process procure produce profile prohibit promise promote prompt proof propagate propose protect prototype prove
    provide provision proxy prune publish pull purchase purge push push-back put qualify quantify quarantine query
    question queue quiesce quit quote raise randomise randomize rank rate-limit ration rationalise re-check re-read
    re-run reach react read realign realise realize reap reapply rearm rearrange reassign reattach rebalance rebase
    rebind reboot rebuild recalculate recalibrate recall receive recheck reckon reclaim recode recognise recognize
    recombine recommend recompute reconcile recondition reconfigure reconnect reconsider reconstruct record recover
    recreate recycle redact redeclare redefine redeploy redesign redirect redistribute redo reduce refactor refer
    reference refill refine refit reformat refresh refund refuse regard regenerate register regroup rehash rehearse
    rehydrate reindex reinforce reinitialise reinitialize reinject reinstall reject relabel relate relaunch relax
    release reload relocate rely remain remap remark remeasure remedy remember remind remodel remount remove rename
    render renegotiate renew reopen reorder reorganise repack repaint repair reparse repartition repeat rephrase
    replace replan replay replicate reply report reposition represent reprocess reproduce request requeue require
    reread reroute rerun resample rescale rescan rescue reseat reseed resend reserve reset reshard reship resist
    resize resolve resort respawn respect respond rest restack restart restate restock restore restrict restructure
    resubmit resubscribe resume resync retain retest rethink rethrow retire retrace retract retrain retrieve retry
    return retype reunite reuse revalidate revamp reveal reverse revert review revise revisit revive revoke rewind
    rewire reword rework rewrite rid ring-fence rinse roll rotate round route run sample sanction sandbox sanitise
    sanitize satisfy save scale scan scatter schedule scope score screen script scrub seal search secure seed seek
    segment select self-test send sense separate sequence serialise serialize serve set settle sever shadow shape
    shard share sharpen shed shelve shield shift ship shorten show shrink shuffle shut shuttle side-load sidestep
    sign signal signpost simplify simulate single-source size sketch skip slice slim slow smear smoke-test smooth
    snap snapshot sniff snooze soak soften solicit solve sort source spare spawn specify speed spell spend spill
    split sponsor spot spray spread squash stabilise stabilize stage stagger stake stamp standardise standardize
    start stash state stay steer stem step stick stipulate stitch stop store straddle straighten stream streamline
    strengthen stress stretch strip strive structure stub study subclass submit subscribe subsidise substitute
    subsume subtract succeed suffix suggest sunset superimpose supervise supplement supply support suppress surface
    surpass surrender surround suspect suspend sustain swallow swap swipe switch symlink sync synchronise
    synchronize syndicate tabulate tackle tag tailor take tally tame tap taper target teach tear tell template
    terminate test test-drive tether thaw thin think throttle throw tidy tie tighten tilt time timebox tip toggle
    tokenise tokenize tolerate touch trace track trade train trampoline transcode transfer transform translate
    transmit transplant transpose traverse treat triage trigger trim triple truncate trust try tune turn tweak type
    unbind unblock uncover underline understand undo unescape unfreeze unhook unify uninstall unit-test unlearn
    unlink unload unlock unmount unpack unpark unpin unplug unpublish unregister unroll unset unstick unsubscribe
    unwind unwrap unzip update upgrade uphold upload upscale upsert urge use usher utilise utilize vacuum validate
    value vaporise vary vectorise vectorize vendor verbalise verify version vet veto view visit vote wager wait wake
    walk want warm warn warrant watch weaken wean weatherproof weed weigh welcome whitelist whittle widen wind wipe
    wire withdraw withhold work wrap write yield zero zeroise zeroize zip"""
)
"""Verbs in their plain form, with which an instruction of our trade begins."""

NO_VERBS = words_in(
    """a about above across after afterwards again against all almost alone along already also although always among an
    and another any anybody anyone anything apart around as at bad because before behind below beneath beside
    besides best better between beyond big both but by clearly despite down due during each either else enough even
    ever every everybody everyone everything except few fewer first five for four from further good half hence her
    here him his how however if in indeed inside instead into it its itself last later least less like long many
    maybe me meanwhile more moreover most much my near neither never nevertheless new next nine no nobody none nor
    not nothing now of off often old on once one only onto or other others otherwise our out outside over overall
    own per perhaps probably quite rather same seldom several she short similar since six so some somebody someone
    something sometimes somewhere soon still such ten than that the their them then there therefore these they this
    those though three through throughout thus today together tomorrow too toward towards twice two under unless
    unlike until up upon us very we what whatever when whenever where whereas wherever whether which whichever while
    who whoever whom whose why with within without worse yes yesterday yet you your"""
)
"""Words before an article that order nothing."""

PASTS = words_in(
    """ate became began bent bit blew bore bought bound broke brought built came caught chose clung crept dealt did
    drank drew drove dug fell felt fled flew forgot fought found froze gave got grew had heard held hid kept knew
    laid led left lent lit lost made meant met paid ran rang rose said sang sank sat saw sent shook shone shot slept
    slid sold sought spent spoke spun stood stole struck stuck swept swore swung taught thought threw told took tore
    understood was went were woke won wore wrote"""
)
"""Irregular past forms: what begins with one tells what was done."""
