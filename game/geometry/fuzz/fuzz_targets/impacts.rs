#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fracture_fuzz::fuzz_impacts(data));
