! A tumbling body in Fortran: a million steps, the same motion at once, and a batch. The numbers are those of tumbling.c.
program tumbling
  use polhode
  implicit none
  integer(c_int64_t), parameter :: n = 1000
  real(c_double), parameter :: momentum(3) = [0.5d0, 0.2d0, 0.84d0], attitude(4) = [1d0, 0d0, 0d0, 0d0]
  type(c_ptr) :: water = c_null_ptr, rotor = c_null_ptr, motion = c_null_ptr, none = c_null_ptr
  real(c_double) :: m(3), q(4), energy, norm, spatial(3), period
  real(c_double) :: momenta(3, 2), attitudes(4, 2), many_momenta(3, n), many_attitudes(4, n)
  integer(c_int) :: status
  integer :: i

  ! The water molecule of the literature.
  call check(polhode_body_from_moments([0.345d0, 0.653d0, 1d0], water))

  ! A rotor keeps what rounding would lose from call to call.
  call check(polhode_rotor_create(water, momentum, attitude, 'exact', rotor))
  do i = 1, 1000
    call check(polhode_rotor_steps(rotor, 0.0078125d0, 1000_c_int64_t))
  end do
  call check(polhode_rotor_state(rotor, m, q))
  call check(polhode_rotor_errors(rotor, energy, norm, spatial))
  print '(a9, 3f19.12)', 'stepped  ', m
  print '(a)', 'the energy is '//trim(merge('off by less than 1e-16', 'lost                  ', abs(energy) < 1d-16))
  call polhode_rotor_free(rotor)

  ! The motion as a function of time.
  call check(polhode_trajectory_create(water, momentum, attitude, motion))
  call check(polhode_trajectory_evaluate(motion, 2_c_int64_t, [7812.5d0, 1d9], momenta, attitudes))
  call check(polhode_trajectory_period(motion, period))
  do i = 1, 2
    print '(a9, 3f19.15)', 'directly ', momenta(:, i)
    print '(a9, 4f19.15)', 'attitude ', attitudes(:, i)
  end do
  print '(a9, f19.15)', 'period   ', period
  call polhode_trajectory_free(motion)

  ! Many bodies at once, on all cores.
  do i = 1, int(n)
    many_momenta(:, i) = [0.5d0, 0.001d0*(i - 1), 0.84d0]
    many_attitudes(:, i) = attitude
  end do
  call check(polhode_batch_steps(water, n, many_momenta, many_attitudes, 0.01d0, 100_c_int64_t, 0_c_int64_t))
  print '(a9, 3f19.15)', 'body 200 ', many_momenta(:, 201)

  ! Errors are codes with a sentence.
  status = polhode_body_from_moments([1d0, -2d0, 3d0], none)
  print '(a, i0, a)', 'status ', status, ': '//polhode_last_error()

  call polhode_body_free(water)

contains

  subroutine check(code)
    integer(c_int), intent(in) :: code
    if (code /= polhode_ok) then
      print '(a)', 'polhode: '//polhode_last_error()
      stop 1
    end if
  end subroutine

end program tumbling
